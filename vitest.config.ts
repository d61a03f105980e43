import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    // Tests mostly wait for sites and jobs: one worker a core would leave the cores idle.
    maxWorkers: 3,
    // Never reached by what works: real browsers and databases on two busy cores, where a start may take half a minute. A
    // hook is not tried again as a test is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // Real browsers, databases and killed processes on two cores: what only fails now and then is reported as retried. What a
    // property finds is found once and never tried again.
    retry: { count: 2, condition: /^(?!Property failed)/ },
    // For a busy machine; what is waited for mostly comes at once.
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
