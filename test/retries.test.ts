// No test is retried unless it says why, and a run never hides what it retried or what ended without a report.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { TestModule } from "vitest/node";
import { RetriedReporter } from "./support/retried-reporter.ts";
import { SlowFilesReporter } from "./support/slow-files-reporter.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const reporter = join(root, "test/support/retried-reporter.ts");

/** Runs one test file with our reporter; resolves with what the run printed. */
async function runTests(source: string): Promise<string> {
  const folder = temporaryFolder();
  const config = `import { RetriedReporter } from ${JSON.stringify(reporter)};
    export default { test: { globals: true, reporters: [new RetriedReporter()], include: ["*.test.js"] } };`;
  writeFileSync(join(folder, "some.test.js"), source);
  writeFileSync(join(folder, "vitest.config.mjs"), config);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, "run", "--root", folder], { cwd: folder });
  return stdout;
}

it("a run ends with the list of what it retried", async () => {
  const source = `
    let runs = 0;
    describe("a group", () => it("passes the second time", { retry: 2 }, () => { runs += 1; expect(runs).toBe(2); }));
    it("passes at once", { retry: 2 }, () => undefined);`;
  const printed = await runTests(source);
  expect(printed).toContain("Retried tests:\n  some.test.js > a group > passes the second time (1×, passed)\n");
  expect(printed).not.toContain("passes at once");
});

it("a run without retries says so", () => {
  const printed: string[] = [];
  new RetriedReporter((text) => void printed.push(text)).onTestRunEnd([]);
  expect(printed.join("")).toBe("\nRetried tests: none\n");
});

it("a run names the files whose process died", () => {
  const printed: string[] = [];
  const reporter = new SlowFilesReporter((text) => void printed.push(text), "");
  // Vitest makes a new object of the module for each report.
  const moduleOf = (relativeModuleId: string) => ({ relativeModuleId }) as TestModule;
  for (const file of ["dies.test.ts", "lives.test.ts"]) reporter.onTestModuleQueued(moduleOf(file));
  reporter.onTestModuleEnd(moduleOf("lives.test.ts"));
  reporter.onTestRunEnd([]);
  expect(printed.join("")).toBe("\nBegun and not ended: dies.test.ts\n");
});

it("every test that may be retried says why in a comment beside it, and there is no retry for all", () => {
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith(".test.ts") && !entry.parentPath.includes("node_modules"),
      )
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const unexplained = files
    .filter((file) => file !== import.meta.filename)
    .flatMap((file) => {
      const lines = readFileSync(file, "utf8").split("\n");
      return lines.flatMap((line, at) => {
        const isRetried = /\bretry: *(\d|\{)/.test(line);
        return isRetried && !/^\s*(\/\/|\*)/.test(lines[at - 1] ?? "") ? [`${file}:${at + 1}`] : [];
      });
    });
  expect(unexplained).toEqual([]);
  expect(readFileSync(join(root, "vitest.config.ts"), "utf8")).not.toContain("retry");
});
