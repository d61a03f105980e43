// What breaks in the middle of a crawl over several servers: killed and frozen ones, PostgreSQL, S3 and disks that fail, clocks that
// are wrong. Needs root (for small disks), Chromium and the Debian package libfaketime; about ten minutes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../vitest-report.mjs";

/** Each row is a separate run. */
export const keepsOtherRows = true;

/** Words choose stories by their titles; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const file = join(folder, "faults.json");
  try {
    const chosen = words.length === 0 ? [] : ["-t", words.join("|")];
    const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile.json=${file}`];
    const env = { ...process.env, TRAWL_PROVE: "faults" };
    const how = { cwd: root, env, stdio: "inherit" };
    spawnSync("npm", ["test", "--", "test/e2e/faults.test.ts", ...reporters, ...chosen], how);
    return readRows(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readRows(file) {
  const { testResults } = JSON.parse(readFileSync(file, "utf8"));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ title, status, meta, failureMessages }) => ({
      subject: title,
      holds: status === "passed",
      figure: meta.figure ?? "",
      ...(status === "passed" ? {} : { details: failureMessages.map((message) => message.split("\n")[0]) }),
    }));
}
