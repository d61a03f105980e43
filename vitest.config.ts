import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // For a busy machine; what is waited for mostly comes at once.
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});
