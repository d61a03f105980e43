// What a run of the tests came to, read from its JSON report.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A row of a proof: which tests ran, and the names of those that failed, in this checkout or another one. */
export function readReport(subject, file, checkout = root) {
  const row = { subject, holds: false, files: 0, passed: 0, failed: 0 };
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { ...row, details: ["the run ended without a report"] };
  }
  const details = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
    const where = relative(checkout, name);
    if (failed.length > 0) return failed.map((test) => `${where} > ${test}`);
    return status === "failed" ? [`${where}: ${message.split("\n")[0]}`] : [];
  });
  return {
    ...row,
    holds: report.success && details.length === 0,
    files: report.testResults.length,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    details,
  };
}

/** Runs the test files of each subject as the proof of this name; tests look at TRAWL_PROVE. */
export function proveTests(name, subjects) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  try {
    return Object.entries(subjects).map(([subject, files], place) => {
      const report = join(folder, `${place}.json`);
      const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
      const env = { ...process.env, TRAWL_PROVE: name };
      spawnSync("npm", [...words, ...files], { cwd: root, env, stdio: "inherit" });
      return readReport(subject, report);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
