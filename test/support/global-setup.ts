import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openStore } from "../../src/store/index.ts";
import { enterStoreFolder } from "./fast-folder.ts";
import { isProofOfPooler, startPooler } from "./pooler.ts";
import { createTemplate, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL; take a database of your own with createDatabase. */
    postgresUrl: string;
    /** Its database with the tables of an empty store. */
    postgresTemplate: string;
  }
}

interface Run {
  postgresUrl: string;
  postgresTemplate: string;
  remove(): Promise<void>;
  /** Projects that have not ended. */
  users: number;
}

const runs = globalThis as { trawlTestRun?: Promise<Run> };

/** One PostgreSQL and one temporary folder for all projects of a run, gone after the tests, whether they pass or fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  runs.trawlTestRun ??= begin();
  const run = await runs.trawlTestRun;
  run.users += 1;
  project.provide("postgresUrl", run.postgresUrl);
  project.provide("postgresTemplate", run.postgresTemplate);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete runs.trawlTestRun;
    await run.remove();
  };
}

async function begin(): Promise<Run> {
  // Tests of the command and of worker threads run the build, so it must be that of these sources.
  execFileSync(process.execPath, ["scripts/setup.mjs", "--tests"], { stdio: "inherit" });
  enterTemporaryFolder();
  const server = await startPostgres();
  const template = "empty_store";
  await createTemplate(server.url, template, makeStore);
  const stopPooler = isProofOfPooler ? await startPooler(server.url) : async () => undefined;
  const remove = async () => {
    await stopPooler();
    await server.remove();
  };
  return { postgresUrl: server.url, postgresTemplate: template, remove, users: 0 };
}

async function makeStore(databaseUrl: string): Promise<void> {
  const store = await openStore({ databaseUrl });
  await store.close();
}

/** Every process of the run makes its temporary files in one folder: so none is left, and no other run's are seen. */
function enterTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), "trawl-"));
  // As the system's own is: browsers and PostgreSQL run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  const stores = enterStoreFolder();
  process.once("exit", () => {
    try {
      for (const each of [folder, stores])
        rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    } catch (error) {
      // The tests have said how they went; what is left is named.
      process.stderr.write(`${error}\n`);
    }
  });
}
