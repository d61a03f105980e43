// Every method, tool and verb of the official clients against a real server; writes docs/compatibility.md. Clients that are too
// large for the tests are installed first.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const report = join(folder, "report.json");
  try {
    const install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", install, { cwd: join(root, "test/clients/large"), stdio: "inherit" });
    const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
    const env = { ...process.env, TRAWL_PROVE: "compatibility" };
    spawnSync("npm", [...words, "test/clients/compatibility.test.ts"], { cwd: root, env, stdio: "inherit" });
    return [readReport("official clients", report)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
