// The typed client in Deno and in Bun, installed from the registry into a temporary folder, and in this Node: the same program
// against the same server.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startProgram } from "../../bench/measure.mjs";
import { startSite, useOfClient } from "../client-use.mjs";
import { root } from "../vitest-report.mjs";

const run = promisify(execFile);
const { platform, arch } = process;
/** Their packages hold a program for each platform; without scripts nothing but npm's own choice of it is needed. */
const bun = `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`;
const deno = `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`;
const runtimes = {
  Node: { version: process.versions.node, start: () => [process.execPath] },
  Bun: { version: "1.4.4", packages: [`${bun}@1.4.4`], start: (folder) => [join(folder, bun, "bin/bun"), "run"] },
  Deno: {
    version: "2.9.5",
    packages: [`${deno}@2.9.5`],
    start: (folder) => [join(folder, deno, "deno"), "run", "--no-lock", "--no-prompt", "--allow-net", "--allow-read"],
  },
};

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const site = await startSite();
  const server = await startProgram([join(root, "dist/cli.js"), "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      OPEN_SEARCH: "0",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      LOG_LEVEL: "warn",
    },
    until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
  });
  const [, url, key] = server.match;
  try {
    const client = pathToFileURL(join(root, "dist/client/index.js")).href;
    const program = join(folder, "program.mjs");
    writeFileSync(program, useOfClient(client));
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const packages = Object.values(runtimes).flatMap((runtime) => runtime.packages ?? []);
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", [...words, ...packages], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const rows = [];
    for (const [name, { version, start }] of Object.entries(runtimes)) {
      const subject = `${name} ${version}`;
      const [file, ...before] = start(join(folder, "node_modules"));
      try {
        if (!existsSync(file)) throw new Error(`${file} was not installed`);
        const args = [...before, program, url, key, site.url];
        const { stdout } = await run(file, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
        rows.push({ subject, holds: true, figure: stdout.trim() });
      } catch (error) {
        rows.push({ subject, holds: false, figure: "", details: [String(error.stderr || error.stack)] });
      }
    }
    return rows;
  } finally {
    await server.stop();
    site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
