import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL; take a database of your own with createDatabase. */
    postgresUrl: string;
  }
}

/** One PostgreSQL a run, started before the tests and gone after them, whether they pass or fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of the command and of worker threads run the build, so it must be that of these sources.
  execFileSync(process.execPath, ["scripts/setup.mjs", "--tests"], { stdio: "inherit" });
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.remove();
}
