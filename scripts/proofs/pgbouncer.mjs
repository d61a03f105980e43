// Stores, and crawls over several servers, behind Debian's PgBouncer in transaction mode (package `pgbouncer`), which keeps
// nothing of a session between two transactions.
import { proveTests } from "../vitest-report.mjs";

const subjects = {
  store: ["test/store"],
  crawls: ["test/e2e/crawl-processes.test.ts", "test/e2e/elected-node.test.ts"],
};

export const prove = () => proveTests("pgbouncer", subjects);
