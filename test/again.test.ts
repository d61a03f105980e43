// A run of CI that failed: which of its files are tried once more, and which failures stand.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const again = join(import.meta.dirname, "../.ci/again.mjs");

/** As the runner's JSON report has it. */
interface File {
  name: string;
  status: "passed" | "failed";
  message: string;
  assertionResults: { status: string; failureMessages: string[] }[];
}

const passed = (name: string): File => ({
  name,
  status: "passed",
  message: "",
  assertionResults: [{ status: "passed", failureMessages: [] }],
});
const failed = (name: string, ...failureMessages: string[]): File => ({
  name,
  status: "failed",
  message: "",
  assertionResults: [
    { status: "passed", failureMessages: [] },
    { status: "failed", failureMessages },
  ],
});
/** A hook failed: its tests were never run. */
const failedHook = (name: string, message: string): File => ({
  name,
  status: "failed",
  message,
  assertionResults: [{ status: "skipped", failureMessages: [] }],
});

/** With an npm that only says how it was called, and ends with `npmStatus`. */
function runAgain(report: string, npmStatus = 0) {
  const folder = temporaryFolder();
  const [called, file] = [join(folder, "called"), join(folder, "report.json")];
  writeFileSync(join(folder, "npm"), `#!/bin/sh\nprintf '%s\\n' "$@" > "${called}"\nexit ${npmStatus}\n`, {
    mode: 0o755,
  });
  writeFileSync(file, report);
  const env = { PATH: [folder, process.env.PATH ?? ""].join(delimiter) };
  const { status, stdout } = spawnSync(process.execPath, [again, file], { env, encoding: "utf8" });
  return { status, stdout, called: existsSync(called) ? readFileSync(called, "utf8").trim().split("\n") : null };
}

const reportOf = (...testResults: File[]) => JSON.stringify({ testResults });

it("runs the files that failed once more, by a test or by a hook, one after the other, and nothing else", () => {
  const report = reportOf(
    passed("/a.test.ts"),
    failed("/b.test.ts", "Error: too late"),
    failedHook("/c.test.ts", "Hook timed out in 120000ms."),
  );
  const { status, stdout, called } = runAgain(report);
  expect(called).toEqual(["test", "--", "--maxWorkers=1", "/b.test.ts", "/c.test.ts"]);
  expect(stdout).toContain("Once more, alone:\n/b.test.ts\n/c.test.ts\n");
  expect(status).toBe(0);
});

it("fails when they fail again", () => {
  expect(runAgain(reportOf(failed("/b.test.ts", "Error: too late")), 1).status).toBe(1);
});

it("tries four files again, but not five", () => {
  const files = ["/1.test.ts", "/2.test.ts", "/3.test.ts", "/4.test.ts", "/5.test.ts"].map((name) =>
    failed(name, "Error"),
  );
  expect(runAgain(reportOf(...files.slice(0, 4)))).toMatchObject({
    status: 0,
    called: expect.arrayContaining(["/4.test.ts"]),
  });
  const five = runAgain(reportOf(...files));
  expect([five.status, five.called]).toEqual([1, null]);
  expect(five.stdout).toContain("Not tried again: 5 files failed.");
});

it("does not try again what a property found", () => {
  const report = reportOf(
    failed("/b.test.ts", "Error: too late"),
    failed("/c.test.ts", "Error: Property failed after 3 tests"),
  );
  const { status, stdout, called } = runAgain(report);
  expect([status, called]).toEqual([1, null]);
  expect(stdout).toContain("Not tried again: a property does not hold.");
});

it("fails when no file failed, and when there is no report", () => {
  expect(runAgain(reportOf(passed("/a.test.ts")))).toMatchObject({ status: 1, called: null });
  expect(runAgain("")).toMatchObject({ status: 1, called: null });
});
