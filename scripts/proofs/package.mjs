// The package as a user gets it: packed, installed into an empty folder without scripts, then started and asked for what each
// file of the package is there for.
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startSite, useOfClient, useOfTypes } from "../client-use.mjs";
import { root } from "../vitest-report.mjs";

const mostBytes = 3_000_000;
/** Not `execFileSync`: the site that it asks is in this process. */
const run = promisify(execFile);
const command = ["--no-install", JSON.parse(readFileSync(join(root, "package.json"), "utf8")).name];
const key = "fc-00000000000000000000000000000001";

export async function prove() {
  const base = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const rows = [];
  /** What a step returns is its figure; a step that throws does not hold. */
  const step = async (subject, work) => {
    try {
      rows.push({ subject, holds: true, figure: await work() });
    } catch (error) {
      rows.push({ subject, holds: false, figure: "", details: [String(error.stderr || error.stack || error)] });
    }
  };
  const site = await startSite();
  let server;
  try {
    const { archive, paths } = pack(base);
    await step("packed size", () => measure(archive));
    await step("no pictures, no source maps", () => {
      const wrong = paths.filter((path) => /\.(?:map|svg|png|jpe?g|gif|webp|ico)$/.test(path));
      if (wrong.length > 0) throw new Error(wrong.join(", "));
      return `${paths.length} files`;
    });
    const folder = join(base, "empty");
    mkdirSync(folder);
    await step("installs without scripts", () => install(folder, archive));
    await step("no development tool comes along", () => lookForTools(folder));
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      OPEN_SEARCH: "0",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      TRAWL_API_KEYS: `acme:${key}:0`,
      PORT: "0",
      HOST: "127.0.0.1",
    };
    await step("npx trawl URL", async () => {
      const { stdout: text } = await run("npx", [...command, site.url], { cwd: folder, env });
      if (!text.includes("# Nets")) throw new Error(`printed: ${text}`);
      return `${text.length} characters of markdown`;
    });
    await step("npx trawl serve", async () => {
      server = await serve(folder, env);
      return "ready";
    });
    if (server) {
      await step("the docs at /docs: a page, a picture, the API reference, a search", () => readDocs(server.url));
      const program = join(folder, "use.mjs");
      writeFileSync(program, useOfClient("trawl/client"));
      const words = [program, server.url, key, site.url];
      await step("trawl/client: scrape, crawl by patterns, files, extract", async () => {
        const { stdout } = await run(process.execPath, words, { cwd: folder, env, timeout: 240_000 });
        return stdout.trim();
      });
    }
    await step("the door for embedders", async () => {
      writeFileSync(join(folder, "embed.mjs"), useOfDoor);
      const { stdout } = await run(process.execPath, ["embed.mjs"], { cwd: folder, env, timeout: 120_000 });
      return stdout.trim();
    });
    await step("types of both doors", () => compileTypes(folder));
  } finally {
    server?.stop();
    site.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  return rows;
}

function pack(base) {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", base], { cwd: root, stdio: "ignore" });
  const archive = join(base, readdirSync(base)[0]);
  const list = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });
  return { archive, paths: list.trim().split("\n") };
}

function measure(archive) {
  const { size } = statSync(archive);
  if (size >= mostBytes) throw new Error(`${size} bytes, at most ${mostBytes}`);
  return `${(size / 1e6).toFixed(2)} MB`;
}

function install(folder, archive) {
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", archive];
  execFileSync("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  return `${installed(folder).length} packages`;
}

function installed(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  return Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
}

/** What the lock file calls development only must not be there. */
function lookForTools(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const isTool = (name) => packages[`node_modules/${name}`]?.dev === true;
  const tools = Object.keys(packages).filter((path) => packages[path].dev === true).length;
  const found = installed(folder).filter(isTool);
  if (found.length > 0) throw new Error(found.join(", "));
  return `none of ${tools}`;
}

function serve(folder, env) {
  const child = spawn("npx", [...command, "serve"], { cwd: folder, env, detached: true });
  let output = "";
  const stop = () => {
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // It ended by itself.
    }
  };
  return new Promise((ready, failed) => {
    const collect = (text) => {
      output += text;
      const url = /API page\s+(http:\S+)\/docs/.exec(output)?.[1];
      if (url) ready({ url, stop });
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("exit", () => failed(new Error(`it ended: ${output}`)));
  });
}

async function readDocs(url) {
  const paths = [
    "/docs",
    "/docs/errors.md",
    "/docs/pictures/rooms.svg",
    "/docs/api/scrape",
    "/docs/search.json?q=pause",
  ];
  for (const path of paths) {
    const { status } = await fetch(url + path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }
  return `${paths.length} paths`;
}

/** With the compiler of this checkout, which the package does not bring, and without the types of Node. */
function compileTypes(folder) {
  writeFileSync(join(folder, "types.mts"), useOfTypes);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const run = spawnSync(process.execPath, [compiler, ...options, "types.mts"], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stdout);
  const files = readdirSync(join(folder, "node_modules/trawl/dist"), { recursive: true });
  const declarations = files.filter((name) => name.endsWith(".d.ts")).sort();
  if (declarations.join() !== "types/client.d.ts,types/index.d.ts") throw new Error(declarations.join(", "));
  return "checked";
}

const useOfDoor = `
import { createLog, loadConfig, start, version } from "trawl";
const app = await start(loadConfig(), { log: createLog("silent") });
const { status } = await fetch(app.url + "/health/liveness");
await app.stop();
if (status !== 200) throw new Error("health: " + status);
console.log("version " + version);
`;
