// The loop: whom it takes pages from, what it does when the store, a page or a worker fails, and how it stops.
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { addTeam } from "../../../test/store/rows.ts";
import { createTestClock } from "../../../test/support/app.ts";
import { engines, type FreshStore, onOneDatabase } from "../../../test/support/engines.ts";
import {
  addJob,
  auditJob,
  createTestOwner,
  documentOf,
  payAll,
  saveCharges,
  silentLog,
} from "../../../test/support/job-store.ts";
import { type Clock, createOwner, isoTime, ServiceError, systemClock } from "../../base/index.ts";
import type { LedgerCharge, Statements, Store } from "../../store/index.ts";
import { claimPages } from "./claim.ts";
import { createWorker, type Worker, type WorkerDeps, type WorkerOptions } from "./job-worker.ts";
import type { Settlement } from "./settle-job.ts";
import type { Ending, Task } from "./task.ts";

type Perform = WorkerDeps<LedgerCharge>["perform"];
interface TestWorker {
  store?: Store;
  clock?: Clock;
  perform?: Perform;
  save?: WorkerDeps<LedgerCharge>["save"];
  countAffordable?: WorkerDeps<LedgerCharge>["countAffordable"];
  options?: Partial<WorkerOptions>;
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const read: Perform = async (task) => documentOf(task);

/** Work that goes on until the test lets it, or its signal ends it. */
function createGate() {
  const inside: Task[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  const perform: Perform = async (task, signal) => {
    inside.push(task);
    await Promise.race([opened, new Promise((done) => signal.addEventListener("abort", done))]);
    if (signal.aborted) return { kind: "released" };
    return documentOf(task);
  };
  return { inside, perform, open: () => open() };
}

describe.each(engines)("a worker on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let fresh: FreshStore;
  let workers: Worker[];

  beforeEach(async () => {
    fresh = await stores.fresh();
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop(0)));
    await fresh.cleanup();
  });

  function createTestWorker({
    store = fresh.store,
    clock = systemClock,
    perform = read,
    save = saveCharges,
    countAffordable = payAll,
    options,
  }: TestWorker = {}) {
    const worker = createWorker<LedgerCharge>(
      { store, clock, log: silentLog, perform, save, countAffordable, onChange: () => undefined },
      { owner: createTestOwner("machine"), concurrency: 100, teamLimit: 50, leaseMs: 30_000, ...options },
    );
    workers.push(worker);
    return worker;
  }

  async function startWorker(given: TestWorker = {}): Promise<Worker> {
    const worker = createTestWorker(given);
    worker.start();
    return worker;
  }

  const audit = (id: string) => auditJob(fresh, id);
  const untilEnded = (id: string) =>
    expect.poll(async () => (await fresh.store.jobs.read(id))?.status).toBe("completed");

  /** The same store, with other ways to some rows of pages. */
  function withJobPages(change: (jobPages: Store["jobPages"]) => Partial<Store["jobPages"]>): Store {
    const { jobPages } = fresh.store;
    return Object.assign(Object.create(fresh.store) as Store, { jobPages: { ...jobPages, ...change(jobPages) } });
  }

  /** Leases a page as a worker of this name would, without any worker behind it. */
  async function claimAs(owner: string, id: string, room: number, leaseMs: number): Promise<Task[]> {
    const [job] = (await fresh.store.jobs.listRunning()).filter((each) => each.id === id);
    if (!job) throw new Error("the job does not run");
    const options = { owner, room, teamLimit: 50, leaseMs, countAffordable: payAll };
    return (await fresh.store.transaction((all) => claimPages(all, job, options, Date.now()))).tasks;
  }

  it("works on nothing until it is started", async () => {
    const id = await addJob(fresh.store, { pages: keys(3) });
    const gate = createGate();
    const worker = createTestWorker({ perform: gate.perform });
    worker.wake();
    await worker.stop(0);
    expect([gate.inside, (await audit(id)).counters.waiting]).toEqual([[], 3]);
  });

  it("takes back at once what an ended process of its machine held, and leaves other owners alone", async () => {
    const id = await addJob(fresh.store, { pages: keys(6) });
    await claimAs("machine/1/ended", id, 2, 30_000);
    await claimAs("machine/1/alive", id, 2, 30_000);
    await claimAs("elsewhere/1/alive", id, 1, 30_000);
    const performed: string[] = [];
    await startWorker({
      perform: async (task) => {
        performed.push(task.key);
        return documentOf(task);
      },
      options: { owner: createTestOwner("machine", (name) => name.endsWith("/ended")) },
    });
    await expect.poll(() => performed.toSorted()).toEqual(["0", "1", "5"]);
    await expect.poll(async () => (await audit(id)).counters).toMatchObject({ active: 3, completed: 3 });
  });

  it("starts no page that cannot be paid, waits for active ones, and ends the job with the reason", async () => {
    const teamId = (await addTeam(fresh.store)).id;
    const ids = [
      await addJob(fresh.store, { pages: keys(4), teamId }),
      await addJob(fresh.store, { pages: keys(4), teamId }),
    ];
    let paid = 0;
    // Of five pages that can be paid one turns out to cost nothing.
    const perform: Perform = async (task) => {
      const isFree = task.jobId === ids[0] && task.key === "1";
      if (isFree) return { kind: "nothing", found: [], refused: [] };
      paid += 1;
      return documentOf(task);
    };
    const countAffordable = async (_statements: unknown, _job: unknown, active: number) => 5 - paid - active;
    await startWorker({ perform, countAffordable });
    const readJobs = () => Promise.all(ids.map((id) => fresh.store.jobs.read(id)));
    await expect.poll(async () => (await readJobs()).map((job) => job?.finishedAt !== null)).toEqual([true, true]);
    const jobs = await readJobs();
    expect(paid).toBe(5);
    expect(jobs.reduce((sum, job) => sum + (job?.completed ?? 0), 0)).toBe(5);
    expect(jobs.some((job) => job?.warning?.includes("no credits left"))).toBe(true);
    const late = await addJob(fresh.store, { pages: keys(1), teamId });
    await expect.poll(async () => (await fresh.store.jobs.read(late))?.status).toBe("failed");
    expect((await fresh.store.jobs.read(late))?.error).toContain("no credits left");
  });

  it("knows which processes of its machine are gone", () => {
    const [owner, sibling] = [createOwner("m"), createOwner("m")];
    const gone = [
      owner.name,
      sibling.name,
      `m/${process.pid}/earlier`,
      `m/${process.ppid}/x`,
      "m/4194304/x",
      "o/1/x",
      "m/x",
    ];
    expect(gone.map((name) => owner.isGone(name))).toEqual([false, false, true, false, true, false, false]);
  });

  it("takes back a page that it holds without knowing: the answer to its claim was lost", async () => {
    const id = await addJob(fresh.store, { pages: keys(2) });
    const owner = createTestOwner("machine");
    await claimAs(owner.name, id, 1, 300);
    await startWorker({ options: { owner, leaseMs: 300 } });
    await untilEnded(id);
    expect(await audit(id)).toMatchObject({ results: 2, charged: 2 });
  });

  it("keeps its leases for as long as the work takes", async () => {
    const clock = createTestClock(isoTime(Date.now()));
    const id = await addJob(fresh.store, { pages: ["slow"] });
    const gate = createGate();
    const leaseMs = 300;
    let renewedUntil = 0;
    let looks = 0;
    const watched = withJobPages((jobPages) => ({
      async extendLeases(...[owner, ids, until]) {
        await jobPages.extendLeases(owner, ids, until);
        if (ids.length > 0) renewedUntil = until;
      },
    }));
    const looking = withJobPages((jobPages) => ({
      async listOwners(...given) {
        looks += 1;
        return jobPages.listOwners(...given);
      },
    }));
    await startWorker({ store: watched, clock, perform: gate.perform, options: { leaseMs } });
    await expect.poll(() => gate.inside.length).toBe(1);
    const owner = createTestOwner("other");
    await startWorker({ store: looking, clock, perform: gate.perform, options: { leaseMs, owner } });
    for (let halves = 0; halves < 5; halves += 1) {
      clock.advance(leaseMs / 2);
      await expect.poll(() => renewedUntil).toBe(clock.now() + leaseMs);
      const before = looks;
      await expect.poll(() => looks).toBeGreaterThan(before + 1);
    }
    expect(gate.inside).toHaveLength(1);
    gate.open();
    await untilEnded(id);
  });

  it("fences off a worker that was silent for longer than its lease, and still finds what its pages lead to", async () => {
    const id = await addJob(fresh.store, { pages: ["start"] });
    // This worker's signs of life do not reach the store, as if it had been stopped.
    let isSilent = true;
    const silent = withJobPages((jobPages) => ({
      async extendLeases(...lease) {
        if (!isSilent) await jobPages.extendLeases(...lease);
      },
    }));
    const [first, second] = [createGate(), createGate()];
    const linking =
      ({ perform }: ReturnType<typeof createGate>): Perform =>
      async (task, signal, report) => {
        if (task.key !== "start") return documentOf(task);
        const ending = await perform(task, signal, report);
        return ending.kind === "document" ? documentOf(task, ["a", "b", "c"]) : ending;
      };
    const clock = createTestClock(isoTime(Date.now()));
    const options = { leaseMs: 400 };
    // It has no room for a second task: it would claim the lost one again itself, before the other worker does.
    await startWorker({ store: silent, clock, perform: linking(first), options: { ...options, concurrency: 1 } });
    await expect.poll(() => first.inside.length).toBe(1);
    const other = await startWorker({
      clock,
      perform: linking(second),
      options: { ...options, owner: createTestOwner("other") },
    });
    clock.advance(options.leaseMs + 1);
    await expect.poll(() => second.inside.length).toBe(1);
    isSilent = false;
    first.open();
    await expect.poll(async () => (await audit(id)).counters).toMatchObject({ active: 1, waiting: 0 });
    // The one that has the page now fails as well: the first gets it again, and must not think its links known.
    await other.stop(0);
    await untilEnded(id);
    expect(await audit(id)).toMatchObject({ results: 4, charged: 4, keys: ["a", "b", "c", "start"] });
  });

  it("saves every page once while the store comes and goes, before and after the commit", async () => {
    const id = await addJob(fresh.store, { pages: keys(20) });
    let call = 0;
    const unsteady = Object.assign(Object.create(fresh.store) as Store, {
      async transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
        call += 1;
        if (call % 4 === 1) throw new ServiceError("STORE_UNAVAILABLE");
        const result = await fresh.store.transaction(work);
        if (call % 4 === 3) throw new ServiceError("STORE_UNAVAILABLE", "Whether this change was kept is not known.");
        return result;
      },
    });
    await startWorker({ store: unsteady, options: { leaseMs: 600 } });
    await untilEnded(id);
    const { counters, counted, ...rest } = await audit(id);
    expect(counters).toEqual(counted);
    expect(rest).toMatchObject({ results: 20, resultPages: 20, charged: 20, errors: {} });
  });

  it("gives up a page that cannot be saved, and saves those that ended together with it", async () => {
    const id = await addJob(fresh.store, { pages: keys(12) });
    const save = async (statements: Statements, settlements: readonly Settlement<LedgerCharge>[]) => {
      if (settlements.some(({ tasks }) => tasks.some(({ task, result }) => task.key === "7" && "seq" in result))) {
        throw new Error("a row that no table takes");
      }
      await saveCharges(statements, settlements);
    };
    await startWorker({ save });
    await untilEnded(id);
    expect(await audit(id)).toMatchObject({ results: 11, charged: 11, errors: { INTERNAL_ERROR: 1 } });
  });

  it("tries a page whose work fails three times", async () => {
    const id = await addJob(fresh.store, { pages: ["a", "b"] });
    let failures = 0;
    await startWorker({
      async perform(task) {
        if (task.key === "b") return documentOf(task);
        failures += 1;
        return { kind: "retry", notBefore: Date.now() + 50, code: "SCRAPE_SITE_ERROR", message: "Away." };
      },
    });
    await untilEnded(id);
    expect(failures).toBe(3);
    expect(await audit(id)).toMatchObject({ results: 1, errors: { SCRAPE_SITE_ERROR: 1 } });
  });

  it("reads a page as soon as it is due, and does not ask for it all the time until then", async () => {
    const id = await addJob(fresh.store, { pages: keys(30) });
    let transactions = 0;
    const counting = Object.assign(Object.create(fresh.store) as Store, {
      transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
        transactions += 1;
        return fresh.store.transaction(work);
      },
    });
    const clock = createTestClock(isoTime(Date.now()));
    const dueAt = clock.now() + 600;
    const performed: string[] = [];
    let released = 0;
    const worker = await startWorker({
      store: counting,
      clock,
      async perform(task): Promise<Ending<LedgerCharge>> {
        if (clock.now() < dueAt) {
          released += 1;
          return { kind: "released", notBefore: dueAt };
        }
        performed.push(task.key);
        return documentOf(task);
      },
      options: {
        // It never looks by itself: whatever it begins later, it begins because it is due.
        isTold() {
          throw new Error("no look at the store");
        },
      },
    });
    worker.wake();
    await expect.poll(() => released).toBe(30);
    await expect.poll(async () => (await audit(id)).counters).toMatchObject({ active: 0, waiting: 30 });
    const before = transactions;
    for (let asked = 0; asked < 50; asked += 1) {
      worker.wake();
      await new Promise((turn) => setTimeout(turn, 10));
    }
    expect(transactions - before).toBeLessThanOrEqual(2);
    expect(performed).toEqual([]);
    clock.advance(600);
    await untilEnded(id);
    expect(performed).toHaveLength(30);
  });

  it("starts the pages of a job with a delay so far apart, and no further", async () => {
    const clock = createTestClock(isoTime(Date.now()));
    const id = await addJob(fresh.store, { pages: keys(6), delayMs: 150, maxActive: 1 });
    const performed: string[] = [];
    const worker = await startWorker({
      clock,
      async perform(task) {
        performed.push(task.key);
        return documentOf(task);
      },
    });
    for (let count = 1; count <= 6; count += 1) {
      await expect.poll(() => performed.length).toBe(count);
      await expect.poll(async () => (await audit(id)).counters).toMatchObject({ active: 0, waiting: 6 - count });
      clock.advance(149);
      worker.wake();
      await new Promise((turn) => setTimeout(turn, 50));
      expect(performed).toHaveLength(count);
      clock.advance(1);
    }
    await untilEnded(id);
  });

  it("lets a small job through while a large one keeps it busy", async () => {
    const large = await addJob(fresh.store, { pages: keys(300), maxActive: 1000 });
    let ended = 0;
    const worker = await startWorker({
      async perform(task) {
        await new Promise((turn) => setTimeout(turn, 15));
        ended += 1;
        return documentOf(task);
      },
      // The pages of the large one take all that its team may have, and end together.
      options: { concurrency: 10, teamLimit: 4 },
    });
    await expect.poll(() => ended).toBeGreaterThan(10);
    const before = ended;
    const { teamId } = (await fresh.store.jobs.read(large)) as { teamId: string };
    const small = await Promise.all([
      addJob(fresh.store, { pages: ["x"] }),
      addJob(fresh.store, { pages: ["y"], teamId }),
    ]);
    worker.wake();
    for (const id of small) await untilEnded(id);
    expect(ended - before).toBeLessThan(100);
    expect((await audit(large)).status).toBe("scraping");
  });

  it("keeps a team within its limit over several workers and jobs", async () => {
    const first = await addJob(fresh.store, { pages: keys(30) });
    const { teamId } = (await fresh.store.jobs.read(first)) as { teamId: string };
    const ids = [first, await addJob(fresh.store, { pages: keys(30), teamId })];
    let inside = 0;
    let most = 0;
    const perform: Perform = async (task) => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((turn) => setTimeout(turn, 10));
      inside -= 1;
      return documentOf(task);
    };
    const stores = [await fresh.openAnother(), await fresh.openAnother(), await fresh.openAnother()];
    for (const [index, store] of stores.entries()) {
      await startWorker({ store, perform, options: { teamLimit: 5, owner: createTestOwner(`machine ${index}`) } });
    }
    for (const id of ids) await untilEnded(id);
    expect(most).toBe(5);
  });

  it("gives up the pages of a job that another process cancelled, within a second or so", async () => {
    const id = await addJob(fresh.store, { pages: keys(10) });
    const gate = createGate();
    let aborted = 0;
    await startWorker({
      async perform(task, signal, report) {
        const ending = await gate.perform(task, signal, report);
        if (signal.aborted) aborted += 1;
        return ending;
      },
      options: { concurrency: 4 },
    });
    await expect.poll(() => gate.inside.length).toBe(3);
    await fresh.store.jobs.change(id, { set: { status: "cancelled" } });
    await expect.poll(() => aborted).toBe(3);
    expect([gate.inside.length, (await audit(id)).results]).toEqual([3, 0]);
  });

  it("puts its pages back when it stops, so that another worker goes on at once", async () => {
    const id = await addJob(fresh.store, { pages: keys(20) });
    const gate = createGate();
    const worker = await startWorker({ perform: gate.perform, options: { concurrency: 8 } });
    // A quarter is kept for other jobs.
    await expect.poll(() => gate.inside.length).toBe(6);
    await worker.stop(50);
    expect((await audit(id)).counters).toMatchObject({ active: 0, waiting: 20, started: 0 });
    await startWorker({ options: { owner: createTestOwner("other") } });
    await untilEnded(id);
    expect(await audit(id)).toMatchObject({ results: 20, charged: 20 });
  });

  it("leaves nothing behind when it stops in the middle of a claim", async () => {
    const id = await addJob(fresh.store, { pages: keys(50) });
    for (let round = 0; round < 15; round += 1) {
      const worker = await startWorker({ perform: createGate().perform });
      await new Promise((turn) => setTimeout(turn, round));
      await worker.stop(0);
      expect((await audit(id)).counters).toMatchObject({ active: 0, waiting: 50, started: 0 });
    }
  });

  it("saves what ended while it stops", async () => {
    const id = await addJob(fresh.store, { pages: keys(5) });
    const gate = createGate();
    const worker = await startWorker({ perform: gate.perform });
    await expect.poll(() => gate.inside.length).toBe(5);
    const stopped = worker.stop(5000);
    gate.open();
    await stopped;
    expect(await audit(id)).toMatchObject({ status: "completed", results: 5 });
  });
});
