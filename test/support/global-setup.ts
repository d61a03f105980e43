import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openStore } from "../../src/store/index.ts";
import { enterStoreFolder } from "./fast-folder.ts";
import { isProofOfPooler, startPooler } from "./pooler.ts";
import { createTemplate, startPostgres } from "./postgres.ts";
import type { RunPostgres } from "./run-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Asking here starts the PostgreSQL of the run; see run-database.ts. */
    postgresStarter: string;
  }
}

interface Run {
  postgresStarter: string;
  remove(): Promise<void>;
  /** Projects that have not ended. */
  users: number;
}

const runs = globalThis as { trawlTestRun?: Promise<Run> };

/** One PostgreSQL and one temporary folder for all projects of a run, gone after the tests, whether they pass or fail. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  build(project);
  project.onTestsRerun(() => build(project));
  runs.trawlTestRun ??= begin();
  const run = await runs.trawlTestRun;
  run.users += 1;
  project.provide("postgresStarter", run.postgresStarter);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete runs.trawlTestRun;
    await run.remove();
  };
}

/** Servers, commands and threads run the build, so it must be that of these sources. Unit tests that run sources start threads only. */
function build(project: TestProject): void {
  const isThreadsOnly = project.vite.config.mode === "sources" && project.name === "unit";
  const words = ["scripts/setup.mjs", isThreadsOnly ? "--threads" : "--tests"];
  execFileSync(process.execPath, words, { stdio: "inherit" });
  if (!isThreadsOnly) execFileSync(process.execPath, ["test/support/answers/make-schemas.mjs"], { stdio: "inherit" });
}

async function begin(): Promise<Run> {
  enterTemporaryFolder();
  let started: ReturnType<typeof startDatabases> | null = null;
  const server = createServer(async (_request, response) => {
    started ??= startDatabases();
    try {
      response.end(JSON.stringify((await started).postgres));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const remove = async () => {
    server.close();
    await (await started)?.remove();
  };
  return { postgresStarter: `http://127.0.0.1:${port}/`, remove, users: 0 };
}

async function startDatabases(): Promise<{ postgres: RunPostgres; remove(): Promise<void> }> {
  const server = await startPostgres();
  const template = "empty_store";
  await createTemplate(server.url, template, makeStore);
  const pooler = isProofOfPooler ? await startPooler(server.url) : null;
  return {
    postgres: { url: server.url, template, poolerPort: pooler?.port ?? null },
    async remove() {
      await pooler?.stop();
      await server.remove();
    },
  };
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
