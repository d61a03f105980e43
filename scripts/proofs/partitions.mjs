// Stores whose large tables lie in parts keep the promises of those whose tables are whole: what is killed, settled and paid once.
import { proveTests } from "../vitest-report.mjs";

const subjects = {
  store: ["kill", "charges", "job-pages", "webhooks"].map((name) => `test/store/${name}.test.ts`),
  "job engine": ["src/jobs/engine/worker.test.ts", "src/jobs/engine/settle.test.ts"],
  "killed servers": ["test/e2e/crawl-durability.test.ts"],
};

export const prove = () => proveTests("partitions", subjects);
