import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { RetriedReporter } from "./test/support/retried-reporter.ts";

/** Tests of servers and browsers take long, whatever the size of their files: begun last, one would keep all others waiting. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(browser|e2e)\//.test(moduleId);
    return [...sorted.filter((file) => isLong(file)), ...sorted.filter((file) => !isLong(file))];
  }
}

const shared = { exclude: ["**/node_modules/**", "dist/**"], globalSetup: "test/support/global-setup.ts" };

export default defineConfig({
  test: {
    reporters: ["default", new RetriedReporter()],
    pool: "forks",
    sequence: { sequencer: LongFirst },
    // For two cores: half of the time of most tests is waiting for sites, jobs and leases.
    maxWorkers: 4,
    projects: [
      // Tests beside their sources leave nothing behind: one process for many of them does not load the same files again.
      { extends: true, test: { ...shared, name: "rooms", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { ...shared, name: "doors", include: ["test/**/*.test.ts"] } },
    ],
    // Never reached by what works: real browsers and databases on two busy cores, where a start may take half a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // For a busy machine; what is waited for mostly comes at once.
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
