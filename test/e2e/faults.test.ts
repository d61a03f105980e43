// `npm run prove -- faults`: what breaks in the middle of a crawl over several servers, and that nothing is lost, doubled or stuck
// afterwards. Each story is a row of docs/reliability.md. They take minutes, so a test run leaves them out; their small forms are
// in crawl-processes, elected-node, storage-failure and node-roles.
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import {
  type Installation,
  type InstallationOptions,
  type Job,
  leaseMs,
  secondsSince,
  startInstallation,
  until,
} from "../support/installation.ts";
import { querySql } from "../support/postgres.ts";
import { startS3Store } from "../support/s3-store.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { descendantsOf } from "../support/sessions.ts";
import { mountSmallDisk } from "../support/small-disk.ts";
import { expectWhole } from "../support/whole-jobs.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What a proof measured, for its table. */
    figure?: string;
  }
}

const storyMs = 500_000;
const most = 5000;
const some = 1000;
const few = 600;
const fakeTime = ["aarch64", "x86_64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** One API server and three workers on PostgreSQL. */
async function startFour(options: Omit<InstallationOptions, "on">): Promise<Installation> {
  const installation = await startInstallation({ on: "postgres", ...options });
  // The first one makes the tables.
  await installation.add("api");
  await Promise.all([1, 2, 3].map(() => installation.add("worker")));
  return installation;
}

/** Waits for the end of the jobs, looks at everything, and notes the row of the table. */
async function finish(
  installation: Installation,
  jobs: Job[],
  startedAt: number,
  { task }: TestContext,
  notes: string[],
): Promise<void> {
  const { endedAt, pages, repeated, again } = await expectWhole(installation, jobs);
  const took = Math.round((endedAt - startedAt) / 1000);
  const counts = [
    `${pages.toLocaleString("en")} pages in ${took} s`,
    `${repeated} asked for again`,
    `${again} webhooks sent again`,
  ];
  task.meta.figure = [...notes, ...counts].join("; ");
}

/** A crawl that is broken after a fifth of its pages. */
async function crawlThrough(
  installation: Installation,
  pages: number,
  context: TestContext,
  play: (job: Job) => Promise<string[]>,
): Promise<void> {
  const startedAt = Date.now();
  const job = await installation.crawl();
  await installation.untilAsked(pages / 5);
  const notes = await play(job);
  await finish(installation, [job], startedAt, context, notes);
}

/** What the API answers meanwhile: a status is 200, and a new job is refused for now. */
async function expectReadOnlyAnswers({ ask, site }: Installation, job: Job): Promise<void> {
  expect((await ask("GET", `${job.path}/${job.id}?limit=1`)).status).toBe(200);
  await expectRefusedForNow(() => ask("POST", "/v2/crawl", { url: `${site.url}/refused` }));
}

async function expectRefusedForNow(request: () => ReturnType<Installation["ask"]>): Promise<void> {
  const { status, retryAfter, body } = await request();
  expect([status, body.code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
}

describe.runIf(process.env["TRAWL_PROVE"] === "faults")("faults", { timeout: storyMs }, () => {
  it("kill -9 of a worker, an API server and a browser server in turn", async (context) => {
    const installation = await startInstallation({ on: "postgres", pages: most });
    const { add, kill, servers, ask } = installation;
    const withChromium = { CHROMIUM_PATH: chromiumPath ?? "" };
    const [firstApi] = [await add("api"), await add("api")];
    await Promise.all([1, 2, 3].map(() => add("worker")));
    await Promise.all([add("browser", withChromium), add("browser", withChromium)]);
    const isServed = async () =>
      (await (await fetch(`${firstApi.url}/health/readiness`)).json()).browser.available === true;
    await until(isServed, "a browser server known");
    const startedAt = Date.now();
    const job = await installation.crawl();
    const notes: string[] = [];

    await installation.untilAsked(most / 5);
    const elected = await installation.electedPid();
    const worker = servers.worker.find(({ pid }) => pid === elected);
    expect(worker).toBeDefined();
    await kill(worker as ServerProcess);
    const killedAt = Date.now();
    const other = until(async () => (await installation.electedPid()) !== elected, "another one elected");
    const [{ held, seconds }, election] = await Promise.all([
      installation.untilTakenOver(elected),
      other.then(() => secondsSince(killedAt)),
    ]);
    expect(seconds).toBeLessThan(2 * (leaseMs / 1000) + 5);
    expect(election).toBeLessThanOrEqual(15);
    notes.push(`worker: ${held} pages taken over after ${seconds} s, upkeep after ${election} s`);
    await add("worker");

    await installation.untilAsked((2 * most) / 5);
    await kill(firstApi);
    const from = Date.now();
    expect((await ask("GET", `${job.path}/${job.id}?limit=1`)).status).toBe(200);
    notes.push(`API: the other answered after ${Date.now() - from} ms`);
    await add("api");

    const rendered = await installation.batch(20, { formats: ["markdown", "screenshot"], waitFor: 1500 });
    const hasChromium = ({ pid }: ServerProcess) =>
      descendantsOf(pid).some(({ command }) => command.includes("--type=renderer"));
    await until(() => installation.site.asked.some((path) => path.startsWith("/apart/")), "a page rendered");
    const busy = servers.browser.find((server) => hasChromium(server));
    expect(busy).toBeDefined();
    await kill(busy as ServerProcess);
    notes.push("browser: 20 rendered pages, all of them");
    await finish(installation, [job, rendered], startedAt, context, notes);
  });

  it("a worker frozen by SIGSTOP for longer than its lease", async (context) => {
    const installation = await startFour({ pages: some });
    await crawlThrough(installation, some, context, async () => {
      const worker = await freezeBusyWorker(installation);
      const { held, seconds } = await installation.untilTakenOver(worker.pid);
      await wait(leaseMs / 2);
      worker.kill("SIGCONT");
      return [`${held} pages taken over after ${seconds} s`];
    });
  });

  it("PostgreSQL restarted", async (context) => {
    const installation = await startFour({ pages: some });
    await crawlThrough(installation, some, context, async () => {
      const stoppedAt = Date.now();
      await installation.database?.stop();
      await installation.database?.start();
      await untilPagesGoOn(installation);
      return [`pages went on ${secondsSince(stoppedAt)} s after the stop`];
    });
  });

  it("PostgreSQL away for 10 s", async (context) => {
    const installation = await startFour({ pages: some });
    await crawlThrough(installation, some, context, async (job) => {
      await installation.database?.stop();
      await expectRefusedForNow(() => installation.ask("GET", `${job.path}/${job.id}?limit=1`));
      await wait(10_000);
      await installation.database?.start();
      const backAt = Date.now();
      await untilPagesGoOn(installation);
      return [`503 with Retry-After meanwhile; pages went on ${secondsSince(backAt)} s after it was back`];
    });
  });

  it("PostgreSQL read-only for 5 s", async (context) => {
    const installation = await startFour({ pages: some });
    const set = (value: string) =>
      querySql(
        installation.database?.url ?? "",
        "set default_transaction_read_only = off",
        `alter system set default_transaction_read_only = ${value}`,
        "select pg_reload_conf()",
      );
    await crawlThrough(installation, some, context, async (job) => {
      await set("on");
      await untilNothingIsWritten(installation);
      await expectReadOnlyAnswers(installation, job);
      await wait(5000);
      await set("off");
      const backAt = Date.now();
      await untilPagesGoOn(installation);
      return [
        `reads answered, writes 503 with Retry-After meanwhile; pages went on ${secondsSince(backAt)} s after it`,
      ];
    });
  });

  it.for([
    ["answers 503 for 10 s", "refuse"],
    ["hangs for 10 s", "hang"],
  ] as const)("an S3 store that %s", async ([, mode], context) => {
    const s3 = await startS3Store();
    onTestFinished(() => s3.close());
    const env = { ...s3.env, S3_TIMEOUT_MS: "2000" };
    const installation = await startFour({ pages: few, fill: 16_000, env });
    await crawlThrough(installation, few, context, async () => {
      await until(() => s3.objects().length > 0, "pages in the store");
      s3.mode = mode;
      const before = new Set(installation.site.asked).size;
      await wait(10_000);
      const read = new Set(installation.site.asked).size - before;
      expect(read).toBeGreaterThan(0);
      s3.mode = "pass";
      return [`${read} pages were read meanwhile, their bytes kept in the database`];
    });
    expect(s3.objects().length).toBeGreaterThan(0);
  });

  it("the disk of blobs full for 10 s", async (context) => {
    const disk = mountSmallDisk(64);
    const env = { BLOBS: "disk", BLOBS_DIR: disk.folder };
    const installation = await startFour({ pages: few, fill: 16_000, env });
    await crawlThrough(installation, few, context, async () => {
      disk.fill();
      const before = new Set(installation.site.asked).size;
      await wait(10_000);
      const read = new Set(installation.site.asked).size - before;
      expect(read).toBeGreaterThan(0);
      disk.free();
      return [`${read} pages were read meanwhile, their bytes kept in the database`];
    });
  });

  it("the disk of a single server on SQLite full for 10 s", async (context) => {
    const disk = mountSmallDisk(96);
    const installation = await startInstallation({
      on: "sqlite",
      pages: some,
      fill: 4000,
      env: { DATA_DIR: `${disk.folder}/data` },
    });
    await installation.add("all");
    await crawlThrough(installation, some, context, async (job) => {
      disk.fill();
      await untilNothingIsWritten(installation);
      await expectReadOnlyAnswers(installation, job);
      await wait(10_000);
      disk.free();
      const freeAt = Date.now();
      await untilPagesGoOn(installation);
      return [
        `reads answered, writes 503 with Retry-After meanwhile; pages went on ${secondsSince(freeAt)} s after it`,
      ];
    });
  });

  it("the disk of PostgreSQL full for 10 s", async (context) => {
    const disk = mountSmallDisk(600);
    const installation = await startFour({ pages: some, fill: 4000, folder: disk.folder });
    await crawlThrough(installation, some, context, async () => {
      disk.fill();
      await untilNothingIsWritten(installation);
      await wait(10_000);
      disk.free();
      const freeAt = Date.now();
      // It ends itself when it cannot write its log; whoever watches it starts it again.
      const hasEnded = await installation.query("select 1").then(
        () => false,
        () => true,
      );
      if (hasEnded) {
        await installation.database?.stop();
        await installation.database?.start();
      }
      await untilPagesGoOn(installation);
      const what = hasEnded ? "PostgreSQL ended itself and was started again" : "PostgreSQL stayed";
      return [`${what}; pages went on ${secondsSince(freeAt)} s after there was room`];
    });
  });

  it("clocks 10 minutes ahead on a worker and behind on the API server", async (context) => {
    expect(fakeTime, "the Debian package libfaketime").toBeDefined();
    const clock = (by: string) => ({ LD_PRELOAD: fakeTime ?? "", FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: "1" });
    const installation = await startInstallation({ on: "postgres", pages: some });
    await installation.add("api", clock("-10m"));
    const [ahead] = await Promise.all([
      installation.add("worker", { ...clock("+10m"), LOG_LEVEL: "warn" }),
      installation.add("worker"),
      installation.add("worker"),
    ]);
    await crawlThrough(installation, some, context, async () => {
      expect(ahead.stdout()).toContain("clock differs from the database's");
      return ["the server with the wrong clock says so in its log"];
    });
  });
});

/** One that has active pages at that moment. */
async function freezeBusyWorker({ servers, countHeld }: Installation): Promise<ServerProcess> {
  for (let at = 0; ; at = (at + 1) % servers.worker.length) {
    const worker = servers.worker[at] as ServerProcess;
    worker.kill("SIGSTOP");
    if ((await countHeld(worker.pid)) > 0) return worker;
    worker.kill("SIGCONT");
    await wait(50);
  }
}

async function untilNothingIsWritten({ servers }: Installation): Promise<void> {
  const [server] = [...servers.api, ...servers.all] as [ServerProcess];
  await until(async () => (await fetch(`${server.url}/health/readiness`)).status === 503, "nothing written");
}

/** As many pages as are active anyway may still arrive while nothing can be stored. */
async function untilPagesGoOn({ site }: Installation): Promise<void> {
  const before = new Set(site.asked).size;
  await until(() => new Set(site.asked).size > before + 60, "further pages asked for");
}
