import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayMs, newId, secondMs } from "../../src/base/index.ts";
import type { ClaimedWebhookEvent, Store, WebhookOutcome } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { noon } from "./rows.ts";
import { makeWebhookEvent } from "./webhook-rows.ts";

const leaseMs = 30 * secondMs;
const delivered: WebhookOutcome = { kind: "delivered", at: noon, status: 200 };
const retryAt = (nextAt: number): WebhookOutcome => ({ kind: "retry", nextAt, status: 500, error: "no" });
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type).sort();

describe.each(engines)("the outbox of webhooks on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  const teamId = newId(noon);
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const claim = (fields: Partial<Parameters<Store["webhooks"]["claimDue"]>[0]> = {}, from = store) =>
    from.webhooks.claimDue({ now: noon, limit: 100, owner: "one", leaseMs, ...fields });
  const add = async (jobId: string, ...types: string[]) => {
    const events = types.map((type) => makeWebhookEvent(teamId, { jobId, type }));
    await store.webhooks.enqueue(events);
    return events;
  };
  const claimOnly = async (now = noon): Promise<ClaimedWebhookEvent> => {
    const claims = await claim({ now });
    expect(claims).toHaveLength(1);
    return claims[0] as ClaimedWebhookEvent;
  };

  it("gives back each event as it was put in, when its time has come", async () => {
    const events = [
      makeWebhookEvent(teamId, { type: "crawl.started" }),
      makeWebhookEvent(teamId, { type: "crawl.page", result: { seq: 7 } }),
      makeWebhookEvent(teamId, { pageError: { url: "https://a.example/", code: "SCRAPE_TIMEOUT", message: "late" } }),
      makeWebhookEvent(teamId, { type: "crawl.failed", error: "broken", createdAt: noon + 1 }),
    ];
    await store.webhooks.enqueue([]);
    await store.webhooks.enqueue(events);
    const lease = { owner: "one", until: noon + leaseMs };
    const byId = (one: { id: string }, two: { id: string }) => (one.id < two.id ? -1 : 1);
    const expected = events.slice(0, 3).map((event) => ({ ...event, attempts: 0, lease }));
    expect((await claim()).sort(byId)).toEqual(expected.sort(byId));
    expect(await claim()).toEqual([]);
    expect((await claim({ now: noon + 1 })).map(({ id }) => id)).toEqual([events[3]?.id]);
  });

  it("is part of the transaction of whoever fills it", async () => {
    const failing = store.transaction(async (statements) => {
      await statements.webhooks.enqueue([makeWebhookEvent(teamId)]);
      throw new Error("halfway");
    });
    await expect(failing).rejects.toThrow("halfway");
    expect(await claim()).toEqual([]);
    await store.transaction((statements) => statements.webhooks.enqueue([makeWebhookEvent(teamId)]));
    expect(await claim()).toHaveLength(1);
  });

  it("keeps the order of a job's first attempts, in which it was filled", async () => {
    // All of one millisecond, so that nothing but the order of filling tells them apart.
    const names = Array.from({ length: 300 }, (_, index) => `event ${String(index).padStart(3, "0")}`);
    const jobId = newId(noon);
    await add(jobId, ...names.slice(0, 280));
    for (const name of names.slice(280, 290)) await add(jobId, name);
    const sent: string[] = [];
    const sendNext = async (outcome: WebhookOutcome) => {
      const event = await claimOnly();
      expect(await claim()).toEqual([]);
      sent.push(event.type);
      expect(await store.webhooks.settle(event, outcome)).toBe(true);
    };
    for (let index = 0; index < 285; index += 1) await sendNext(index % 3 ? delivered : retryAt(noon + dayMs));
    await store.transaction(async (statements) => {
      for (const type of names.slice(290))
        await statements.webhooks.enqueue([makeWebhookEvent(teamId, { jobId, type })]);
    });
    while (sent.length < names.length) await sendNext(delivered);
    expect(sent).toEqual(names);
    expect(await claim()).toEqual([]);
  });

  it("lets later events pass one that waits for its retry, and one job's events those of another", async () => {
    const jobId = newId(noon);
    await add(jobId, "a", "b", "c");
    await store.webhooks.settle(await claimOnly(), retryAt(noon + 1000));
    expect((await claimOnly()).type).toBe("b");
    await add(newId(noon), "x", "y");
    expect((await claimOnly()).type).toBe("x");
    // The retry needs no turn among the first attempts.
    const retry = await claimOnly(noon + 1000);
    expect(retry).toMatchObject({ type: "a", attempts: 1 });
    expect(await claim({ now: noon + 1000 })).toEqual([]);
  });

  it("retries one event of a job at a time, the longest due first", async () => {
    const jobId = newId(noon);
    await add(jobId, "a", "b", "c");
    for (const nextAt of [noon + 3, noon + 2, noon + 10]) {
      await store.webhooks.settle(await claimOnly(), retryAt(nextAt));
    }
    const first = await claimOnly(noon + 5);
    expect(first.type).toBe("b");
    expect(await claim({ now: noon + 5 })).toEqual([]);
    await store.webhooks.settle(first, retryAt(noon + 1000));
    expect((await claimOnly(noon + 5)).type).toBe("a");
  });

  it("gives no event to two claims at a time, through two stores", async () => {
    const another = await opened.openAnother();
    const jobs = Array.from({ length: 20 }, (_, job) => ({ jobId: newId(noon), name: `job ${job}` }));
    for (const { jobId, name } of jobs)
      await add(jobId, ...Array.from({ length: 5 }, (_, index) => `${name}.${index}`));
    const sent: string[] = [];
    const claimed = new Set<string>();
    const busyJobs = new Set<string>();
    const work = async (from: Store, owner: string) => {
      for (let idle = 0; sent.length < 100 && idle < 1000; ) {
        const events = await claim({ owner, limit: 3 }, from);
        idle = events.length === 0 ? idle + 1 : 0;
        for (const { id, jobId } of events) {
          expect(claimed.has(id)).toBe(false);
          expect(busyJobs.has(jobId)).toBe(false);
          claimed.add(id);
          busyJobs.add(jobId);
        }
        for (const event of events) {
          sent.push(event.type);
          busyJobs.delete(event.jobId);
          expect(await from.webhooks.settle(event, delivered)).toBe(true);
        }
      }
    };
    const workers = [store, another, store, another].map((from, index) => work(from, `owner ${index}`));
    await Promise.all(workers);
    expect(sent).toHaveLength(100);
    for (const { name } of jobs) {
      const own = sent.filter((type) => type.startsWith(`${name}.`));
      expect(own).toEqual([0, 1, 2, 3, 4].map((index) => `${name}.${index}`));
    }
  });

  it("claims no more than asked for, even when many wait", async () => {
    for (let job = 0; job < 10; job += 1) await add(newId(noon), "a", "b");
    expect(await claim({ limit: 3 })).toHaveLength(3);
    expect(await claim({ limit: 100 })).toHaveLength(7);
  });

  it("gives a lease that has run out to the next one, and settles only for the latest", async () => {
    const [event] = await add(newId(noon), "a", "b");
    const id = event?.id ?? "";
    const lost = await claimOnly();
    expect(await claim({ now: noon + leaseMs - 1, owner: "two" })).toEqual([]);
    const taken = (await claim({ now: noon + leaseMs, owner: "two" }))[0] as ClaimedWebhookEvent;
    expect(taken).toMatchObject({ id, attempts: 0, lease: { owner: "two", until: noon + 2 * leaseMs } });
    for (const outcome of [delivered, retryAt(noon), { kind: "released" } as const]) {
      expect(await store.webhooks.settle(lost, outcome)).toBe(false);
    }
    expect(await store.webhooks.find(teamId, id)).toMatchObject({ status: "pending", attempts: 0 });
    expect(await store.webhooks.settle(taken, delivered)).toBe(true);
    expect(await store.webhooks.settle(taken, delivered)).toBe(false);
    expect((await claimOnly()).type).toBe("b");
  });

  it("gives the claims of owners that are gone to the next one at once", async () => {
    await add("job 1", "a");
    await add("job 2", "b");
    await claim({ owner: "machine/1/ended", limit: 1 });
    await claim({ owner: "machine/1/alive", limit: 1 });
    expect((await store.webhooks.listOwners("machine/")).sort()).toEqual(["machine/1/alive", "machine/1/ended"]);
    expect(await store.webhooks.listOwners("other/")).toEqual([]);
    await store.webhooks.releaseOwners(["machine/1/ended"]);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  it("tells two claims of the same owner apart", async () => {
    await add(newId(noon), "a");
    const lost = await claimOnly();
    const again = await claimOnly(noon + leaseMs);
    expect(await store.webhooks.settle(lost, delivered)).toBe(false);
    expect(await store.webhooks.settle(again, delivered)).toBe(true);
  });

  it("counts what is given back as no attempt, and keeps its turn", async () => {
    await add(newId(noon), "a", "b");
    await store.webhooks.settle(await claimOnly(), { kind: "released" });
    expect(await claimOnly()).toMatchObject({ type: "a", attempts: 0 });
  });

  it("remembers how each event ended, for its team", async () => {
    const [event] = await add(newId(noon), "a");
    const find = () => store.webhooks.find(teamId, event?.id ?? "");
    const about = { id: event?.id, jobId: event?.jobId, type: "a", createdAt: noon };
    await store.webhooks.settle(await claimOnly(), retryAt(noon + 1000));
    const failedOnce = { status: "pending", attempts: 1, nextAt: noon + 1000, lastStatus: 500, lastError: "no" };
    expect(await find()).toEqual({ ...about, ...failedOnce, doneAt: null });
    await store.webhooks.settle(await claimOnly(noon + 1000), {
      kind: "failed",
      at: noon + 2000,
      status: null,
      error: "never",
    });
    const ended = { status: "failed", attempts: 2, lastStatus: null, lastError: "never", doneAt: noon + 2000 };
    expect(await find()).toMatchObject(ended);
    expect(await store.webhooks.find(newId(noon), event?.id ?? "")).toBeNull();

    const [other] = await add(newId(noon), "b");
    await store.webhooks.settle(await claimOnly(), { kind: "delivered", at: noon, status: 204 });
    const good = { status: "delivered", attempts: 1, lastStatus: 204, lastError: null, doneAt: noon };
    expect(await store.webhooks.find(teamId, other?.id ?? "")).toMatchObject(good);
  });

  it("loses ended events a day after their end, and never those that wait", async () => {
    const events: { id: string }[] = [];
    for (const at of [noon - 1, noon, noon + 1]) {
      events.push(...(await add(newId(noon), `ended at ${at}`)));
      await store.webhooks.settle(await claimOnly(), { kind: "delivered", at, status: 200 });
    }
    events.push(...(await add(newId(0), "waiting")));
    const now = noon + dayMs + 1;
    expect(await store.retention.purge({ now, limit: 1 })).toMatchObject({ webhooks: 1, more: true });
    expect(await store.retention.purge({ now, limit: 5 })).toMatchObject({ webhooks: 1, more: false });
    const left = await Promise.all(events.map(({ id }) => store.webhooks.find(teamId, id)));
    expect(typesOf(left.filter((record) => record !== null))).toEqual([`ended at ${noon + 1}`, "waiting"]);
  });
});
