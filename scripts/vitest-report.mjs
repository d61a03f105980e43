// What a run of the tests came to, read from its JSON report.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A row of a proof: which tests ran, and the names of those that failed. */
export function readReport(subject, file) {
  const row = { subject, holds: false, files: 0, passed: 0, failed: 0 };
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { ...row, details: ["the run ended without a report"] };
  }
  const details = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName);
    const where = name.slice(root.length);
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
