// Stores, and crawls over several servers, behind Debian's PgBouncer in transaction mode (package `pgbouncer`), which keeps
// nothing of a session between two transactions.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

const subjects = {
  store: ["test/store"],
  crawls: ["test/e2e/crawl-processes.test.ts", "test/e2e/elected-node.test.ts"],
};

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  try {
    return Object.entries(subjects).map(([subject, files]) => {
      const report = join(folder, `${subject}.json`);
      const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
      const env = { ...process.env, TRAWL_PROVE: "pgbouncer" };
      spawnSync("npm", [...words, ...files], { cwd: root, env, stdio: "inherit" });
      return readReport(subject, report);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
