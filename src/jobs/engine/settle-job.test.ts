// The engine's promises under random interleavings: whatever workers do to the pages of a job, and however they end, its
// counters are those of its rows, every page ends once, and the job ends exactly when nothing is left.
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { engines, type FreshStore, onOneDatabase, type TestEngine } from "../../../test/support/engines.ts";
import {
  addJob,
  auditJob,
  documentOf,
  found,
  payAll,
  saveCharges,
  silentLog,
} from "../../../test/support/job-store.ts";
import { isProofOfProperties } from "../../../test/support/property-runs.ts";
import { secondMs } from "../../base/index.ts";
import type { ClaimedPage, LedgerCharge, Store } from "../../store/index.ts";
import { claimPages } from "./claim.ts";
import { createSettler } from "./settler.ts";
import type { Ending, Task } from "./task.ts";

const leaseMs = 30 * secondMs;

/** Numbers that look random and are the same in every run. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** One for each engine, the longer story on the one where several processes share a store; `npm run prove -- properties`: all. */
function seedsOn({ name }: TestEngine): number[] {
  if (isProofOfProperties) return [1, 2, 3];
  return name === "sqlite" ? [1] : [3];
}

describe.each(engines)("settling on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let fresh: FreshStore;
  let now: number;
  const clock = { now: () => now };

  beforeEach(async () => {
    fresh = await stores.fresh();
    now = Date.now();
  });
  afterEach(() => fresh.cleanup());

  function settlerOn(store: Store) {
    return createSettler<LedgerCharge>({ store, clock, log: silentLog, save: saveCharges, onChange: () => undefined });
  }

  async function claim(store: Store, id: string, room = 8, owner = "here/1/a", teamLimit = 1000): Promise<Task[]> {
    const [job] = (await store.jobs.listRunning()).filter((each) => each.id === id);
    if (!job) return [];
    const options = { owner, room, teamLimit, leaseMs, countAffordable: payAll };
    return (await store.transaction((all) => claimPages(all, job, options, now))).tasks;
  }

  async function expectSound(id: string): Promise<void> {
    const audit = await auditJob(fresh, id);
    expect(audit.places).toEqual(audit.places.map((_, place) => place));
    expect([audit.resultPages, audit.charged]).toEqual([audit.results, audit.results]);
    if (audit.status === "cancelled") return;
    expect(audit.counters).toEqual(audit.counted);
    const isLeft = audit.counted.active > 0 || (audit.counted.waiting > 0 && audit.counted.started < 70);
    expect(audit.status).toBe(isLeft ? "scraping" : "completed");
  }

  it.each(seedsOn(engine))(
    "keeps its promises in every order of events (seed %i)",
    async (seed) => {
      const roll = createDice(seed);
      const stores = [fresh.store, await fresh.openAnother(), await fresh.openAnother()];
      const teamId = `team ${seed}`;
      const ids = await Promise.all([1, 2].map(() => addJob(fresh.store, { pages: ["0"], teamId, pageLimit: 70 })));
      const silent: { id: string; task: ClaimedPage }[] = [];

      function endingOf(task: Task): Ending<LedgerCharge> {
        const links = Array.from({ length: roll(5) }, () => String(roll(100)));
        switch (roll(9)) {
          case 0:
            return { kind: "nothing", found: found(...links), refused: [] };
          case 1:
            return { kind: "failed", code: "SCRAPE_TIMEOUT", message: "Late.", found: [], refused: [] };
          case 2:
            return { kind: "retry", notBefore: now + roll(2) * 1000, code: "SCRAPE_SITE_ERROR", message: "Away." };
          case 3:
            return { kind: "released", notBefore: now + roll(2) * 1000, pausesJob: roll(4) === 0 };
          case 4:
            return documentOf(task, links, String(roll(100)));
          default:
            return documentOf(task, links);
        }
      }

      /** What one worker does in a round, at the same time as the others. */
      async function act(worker: number): Promise<void> {
        const store = stores[worker] as Store;
        const { settle } = settlerOn(store);
        const tasks: Task[] = [];
        for (const id of roll(2) ? ids : [...ids].reverse()) {
          tasks.push(...(await claim(store, id, 1 + roll(6), `worker/${worker}/x`, 9)));
        }
        await store.jobPages.extendLeases(
          `worker/${worker}/x`,
          tasks.map(({ id }) => id),
          now + leaseMs,
        );
        const ended = tasks.map((task) => ({ task, ending: endingOf(task) }));
        const kept = ended.filter(({ task }) => {
          if (roll(8) > 0) return true;
          silent.push({ id: task.jobId, task });
          return false;
        });
        await settle(kept);
        // An answer that was lost on the way: the same again.
        if (roll(4) === 0) await settle(kept);
      }

      for (let round = 0; round < 40; round += 1) {
        await Promise.all([
          ...stores.map((_, worker) => act(worker)),
          ...(round % 7 === 3 ? stores.map((store) => settlerOn(store).sweep([])) : []),
        ]);
        now += roll(3) === 0 ? leaseMs : secondMs;
        // Workers that were silent speak late.
        if (roll(3) === 0) {
          for (const { task } of silent.splice(0)) {
            await settlerOn(fresh.store).settle([{ task, ending: documentOf(task, ["late"]) }]);
          }
        }
        if (round % 5 === 0) for (const id of ids) await expectSound(id);
        if (seed === 3 && round === 12)
          await fresh.store.jobs.change(ids[0] as string, { set: { status: "cancelled" } });
      }
      for (let round = 0; (await fresh.store.jobs.listRunning()).length > 0 && round < 400; round += 1) {
        await settlerOn(fresh.store).sweep([]);
        await act(round % 3);
        now += 10 * secondMs;
      }
      expect(await fresh.store.jobs.listRunning()).toEqual([]);
      for (const id of ids) await expectSound(id);
    },
    40_000,
  );

  it("counts a page once when a worker that lost it and has it again ends both at the same time", async () => {
    const id = await addJob(fresh.store, { pages: ["a"] });
    const { settle, sweep } = settlerOn(fresh.store);
    const claims: Task[] = [];
    for (let round = 0; round < 3; round += 1) {
      claims.push(...(await claim(fresh.store, id)));
      now += leaseMs + 1;
      if (round < 2) await sweep([]);
    }
    await settle(claims.map((task) => ({ task, ending: documentOf(task, ["b"]) })));
    const { counters, counted, results, charged } = await auditJob(fresh, id);
    expect([counters, results, charged]).toEqual([counted, 1, 1]);
    await settle((await claim(fresh.store, id)).map((task) => ({ task, ending: documentOf(task) })));
    await expectSound(id);
  });

  it("counts an ending only while its lease holds, however often it comes", async () => {
    const id = await addJob(fresh.store, { pages: ["a", "b"] });
    const { settle, sweep } = settlerOn(fresh.store);
    const [first] = await claim(fresh.store, id, 1);
    now += leaseMs + 1;
    expect(await sweep([])).toBe(1);
    const again = await claim(fresh.store, id, 2);
    expect(again.map(({ key }) => key).sort()).toEqual(["a", "b"]);
    // The first worker wakes up and speaks of what is not its page any more.
    const taken: string[] = [];
    const noting = (who: string, ending: Ending<LedgerCharge>) => ({ ...ending, onTaken: () => void taken.push(who) });
    const ofLate = noting("late", documentOf(first as Task, ["c"]));
    const [late] = await settle([{ task: first as Task, ending: ofLate }]);
    expect([late?.tasks, late?.found, late?.hasEnded]).toEqual([[], [], false]);
    const endings = again.map((task) => ({ task, ending: noting(task.key, documentOf(task)) }));
    expect((await settle(endings))[0]?.hasEnded).toBe(true);
    expect(await settle(endings)).toEqual([]);
    // What was found counts as taken in only where it was.
    expect(taken.sort()).toEqual(["a", "b"]);
    expect(await auditJob(fresh, id)).toMatchObject({
      status: "completed",
      places: [0, 1],
      charged: 2,
      keys: ["a", "b"],
    });
  });

  it("takes two redirects to one address in one group for one page", async () => {
    const id = await addJob(fresh.store, { pages: ["a", "b", "c"] });
    const tasks = await claim(fresh.store, id);
    const endings = tasks.map((task) => ({ task, ending: documentOf(task, ["end"], "end") }));
    const [settlement] = await settlerOn(fresh.store).settle(endings);
    expect([settlement?.tasks.length, settlement?.hasEnded]).toEqual([1, true]);
    const audit = await auditJob(fresh, id);
    expect([audit.status, audit.counters, audit.charged]).toEqual([
      "completed",
      { waiting: 0, active: 0, started: 1, completed: 1, failed: 0, credits: 1 },
      1,
    ]);
  });

  it("gives a page up after ten lost workers, but not for the times that it was put back", async () => {
    const id = await addJob(fresh.store, { pages: ["a"] });
    const { settle, sweep } = settlerOn(fresh.store);
    for (let round = 0; round < 30; round += 1) {
      const [task] = await claim(fresh.store, id);
      await settle([{ task: task as Task, ending: { kind: "released" } }]);
    }
    for (let round = 1; round <= 10; round += 1) {
      expect(await claim(fresh.store, id)).toHaveLength(1);
      now += leaseMs + 1;
      await sweep([]);
      expect((await auditJob(fresh, id)).status).toBe(round < 10 ? "scraping" : "failed");
    }
    expect((await auditJob(fresh, id)).errors).toEqual({ SCRAPE_WORKER_LOST: 1 });
  });

  it("lists a page that waits for another try when others fill the limit, once, and those that were never begun not", async () => {
    const id = await addJob(fresh.store, { pages: ["busy", "a", "b", "c"], pageLimit: 2 });
    const { settle } = settlerOn(fresh.store);
    const refusal = { kind: "retry", notBefore: now + 1, code: "SCRAPE_SITE_ERROR", message: "429." } as const;
    const [busy] = await claim(fresh.store, id, 1);
    await settle([{ task: busy as Task, ending: refusal }]);
    expect((await auditJob(fresh, id)).errors).toEqual({});
    const others = await claim(fresh.store, id);
    expect(others.map(({ key }) => key).sort()).toEqual(["a", "b"]);
    const [settlement] = await settle(others.map((task) => ({ task, ending: documentOf(task) })));
    expect(settlement?.tasks.map(({ task, result }) => [task.key, "code" in result]).sort()).toEqual([
      ["a", false],
      ["b", false],
      ["busy", true],
    ]);
    expect(await fresh.store.jobResults.listErrors(id, 9)).toMatchObject([
      { id: busy?.id, url: "http://site.test/busy", code: "SCRAPE_NOT_TRIED_AGAIN", at: now },
    ]);
    const { status, counters, counted } = await auditJob(fresh, id);
    expect([status, counters]).toEqual(["completed", counted]);
    expect(counters).toMatchObject({ started: 2, completed: 2, failed: 0 });
  });

  describe("a crawl of three pages whose sitemaps are read beside them", () => {
    async function begin() {
      const id = await addJob(fresh.store, { pages: ["start"], pageLimit: 3 });
      const { settle } = settlerOn(fresh.store);
      const tasks = await claim(fresh.store, id);
      const end = async (key: string, ending?: Ending<LedgerCharge>) => {
        const task = tasks.find((one) => one.key === key) as Task;
        const [settlement] = await settle([{ task, ending: ending ?? documentOf(task) }]);
        tasks.push(...(await claim(fresh.store, id)));
        return settlement?.hasEnded;
      };
      const sitemaps = { key: "site", url: "http://site.test/", depth: 0, kind: "sitemaps", step: null } as const;
      const start = documentOf(tasks[0] as Task);
      await end("start", { ...start, found: [sitemaps, ...found("a", "b", "c")] });
      return { id, end };
    }

    it("ends with its third page, and keeps nothing that the sitemaps find then", async () => {
      const { id, end } = await begin();
      expect([await end("a"), await end("b")]).toEqual([false, true]);
      expect(await end("site", { kind: "nothing", found: found("late"), refused: [] })).toBeUndefined();
      const audit = await auditJob(fresh, id);
      expect(audit).toMatchObject({ status: "completed", results: 3, charged: 3 });
      expect(audit.keys).not.toContain("late");
    });

    it("waits for its third page when the sitemaps have failed", async () => {
      const { id, end } = await begin();
      const late: Ending<LedgerCharge> = {
        kind: "failed",
        code: "SCRAPE_TIMEOUT",
        message: "Late.",
        found: [],
        refused: [],
      };
      expect([await end("site", late), await end("a"), await end("b")]).toEqual([false, false, true]);
      expect(await auditJob(fresh, id)).toMatchObject({ status: "completed", results: 3, charged: 3 });
    });
  });

  it("lists a page that waits for another try when the credits end its job", async () => {
    const id = await addJob(fresh.store, { pages: ["busy", "a"] });
    const { settle, stop } = settlerOn(fresh.store);
    const [busy] = await claim(fresh.store, id, 1);
    const refusal = { kind: "retry", notBefore: now + 1, code: "SCRAPE_SITE_ERROR", message: "429." } as const;
    await settle([{ task: busy as Task, ending: refusal }]);
    await stop(id, { reason: "Nothing is left.", isLimit: false, cutsOff: false });
    expect(await auditJob(fresh, id)).toMatchObject({ status: "failed", errors: { SCRAPE_NOT_TRIED_AGAIN: 1 } });
  });

  it("fails a job of which nothing was read, when all that went wrong is our own fault", async () => {
    const ours: Ending<LedgerCharge> = {
      kind: "failed",
      code: "INTERNAL_ERROR",
      message: "Ours.",
      found: [],
      refused: [],
    };
    const theirs: Ending<LedgerCharge> = { ...ours, code: "SCRAPE_TIMEOUT" };
    async function run(endings: readonly (Ending<LedgerCharge> | null)[], pages = endings.length) {
      const id = await addJob(fresh.store, { pages: Array.from({ length: pages }, (_, index) => String(index)) });
      for (const ending of endings) {
        const [task] = await claim(fresh.store, id, 1);
        await settlerOn(fresh.store).settle([{ task: task as Task, ending: ending ?? documentOf(task as Task) }]);
      }
      const job = await fresh.store.jobs.read(id);
      return [job?.status, job?.error, job?.failed];
    }
    const reason = expect.stringContaining("fault in this server");
    expect(await run([ours, ours])).toEqual(["failed", reason, 2]);
    expect(await run([ours, theirs])).toEqual(["completed", null, 2]);
    expect(await run([ours, null])).toEqual(["completed", null, 1]);
    // The others are not tried any more.
    expect(await run(Array(9).fill(ours), 500)).toEqual(["scraping", null, 9]);
    expect(await run(Array(10).fill(ours), 500)).toEqual(["failed", reason, 10]);
    expect(await run([null, ...Array(10).fill(ours)], 500)).toEqual(["scraping", null, 10]);
  });

  it("ends a job that cannot go on with its reason, and keeps nothing that comes after", async () => {
    const id = await addJob(fresh.store, { pages: ["a", "b", "c"] });
    const [first, second] = await claim(fresh.store, id, 2);
    const { settle } = settlerOn(fresh.store);
    const fatal = { kind: "fatal", code: "JOB_UNREADABLE", message: "No key." } as const;
    expect((await settle([{ task: first as Task, ending: fatal }]))[0]?.hasEnded).toBe(true);
    expect(await settle([{ task: second as Task, ending: documentOf(second as Task) }])).toEqual([]);
    expect(await fresh.store.jobs.read(id)).toMatchObject({ status: "failed", error: "No key.", completed: 0 });
    expect(await auditJob(fresh, id)).toMatchObject({ errors: { JOB_UNREADABLE: 1 }, charged: 0 });
  });

  it("ends on a site where every address leads to the same page", async () => {
    const id = await addJob(fresh.store, { pages: ["0"], pageLimit: 5 });
    const { settle } = settlerOn(fresh.store);
    let last = 1;
    const claimAll = () => claim(fresh.store, id, 100);
    for (let tasks = await claimAll(); tasks.length > 0; tasks = await claimAll()) {
      const next = () => Array.from({ length: 40 }, () => String(last++));
      await settle(tasks.map((task) => ({ task, ending: documentOf(task, next(), "same") })));
      expect(last).toBeLessThan(100_000);
    }
    expect(await auditJob(fresh, id)).toMatchObject({ status: "completed", results: 1 });
  });

  it("settles pages while their leases are kept, in whatever order, without a deadlock", async () => {
    const pages = Array.from({ length: 40 }, (_, index) => String(index));
    const id = await addJob(fresh.store, { pages });
    const { settle } = settlerOn(fresh.store);
    for (let round = 0; round < 15; round += 1) {
      const tasks = await claim(fresh.store, id, 40);
      const ids = tasks.map((task) => task.id);
      const released = tasks.toReversed().map((task) => ({ task, ending: { kind: "released" } }) as const);
      const keep = () => fresh.store.jobPages.extendLeases("here/1/a", ids, now + leaseMs);
      await Promise.all([keep(), settle(released), keep(), keep()]);
    }
    await expectSound(id);
  });

  it("moves nothing of a job that was cancelled meanwhile", async () => {
    const id = await addJob(fresh.store, { pages: ["a", "b"] });
    const [task] = await claim(fresh.store, id, 1);
    await fresh.store.jobs.change(id, { set: { status: "cancelled" } });
    expect(await settlerOn(fresh.store).settle([{ task: task as Task, ending: documentOf(task as Task) }])).toEqual([]);
    now += leaseMs + 1;
    expect(await settlerOn(fresh.store).sweep([])).toBe(0);
    expect(await auditJob(fresh, id)).toMatchObject({ status: "cancelled", results: 0, charged: 0 });
  });

  it("holds the team's limit when workers claim from its jobs at the same moment", async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => fresh.openAnother()));
    const first = await addJob(fresh.store, { pages: ["1", "2", "3", "4", "5", "6", "7", "8"] });
    const teamId = (await fresh.store.jobs.read(first))?.teamId as string;
    const pages = ["1", "2", "3", "4", "5", "6", "7", "8"];
    const others = await Promise.all([2, 3, 4].map(() => addJob(fresh.store, { pages, teamId })));
    const ids = [first, ...others];
    const claims = await Promise.all(
      ids.map((id, index) => claim(stores[index] as Store, id, 8, `worker/${index}/x`, 10)),
    );
    expect(claims.flat()).toHaveLength(10);
  });
});
