import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourMs, newId } from "../../src/base/index.ts";
import type { ActivityEntry, ActivityPage, ActivityPlace, Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { addJob } from "../support/job-store.ts";
import { addTeam, makeActivity, makeKey, noon } from "./rows.ts";

/** Of a request without a job, whose key is not in the store. */
const listedAs = (row: ActivityEntry) => ({ ...row, keyName: null, jobCredits: null });

describe.each(engines)("activity on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  async function add(...rows: ActivityEntry[]): Promise<void> {
    await store.transaction(async (statements) => {
      for (let at = 0; at < rows.length; at += 200) await statements.activity.insert(rows.slice(at, at + 200));
    });
  }

  it("gives rows back whole, newest first", async () => {
    const teamId = newId();
    const rows = [1, 3, 2].map((after) =>
      makeActivity(teamId, { createdAt: noon + after, keyId: newId(), externalRequestId: `request ${after}` }),
    );
    await add(...rows);
    const page = await store.activity.page({ teamId, since: noon, limit: 10 });
    expect(page).toEqual(rows.toSorted((a, b) => b.createdAt - a.createdAt).map(listedAs));
  });

  it("leaves out rows before `since` and rows of other teams", async () => {
    const [teamId, foreign] = [newId(), newId()];
    const row = makeActivity(teamId);
    await add(makeActivity(teamId, { createdAt: noon - 1 }), row, makeActivity(foreign));
    expect(await store.activity.page({ teamId, since: noon, limit: 10 })).toEqual([listedAs(row)]);
  });

  it("filters by endpoint", async () => {
    const teamId = newId();
    const crawl = makeActivity(teamId, { endpoint: "crawl" });
    await add(makeActivity(teamId), crawl);
    expect(await store.activity.page({ teamId, endpoint: "crawl", since: 0, limit: 10 })).toEqual([listedAs(crawl)]);
  });

  it("filters by outcome and by the name of the key, with the credits of a job from its own row", async () => {
    const { id: teamId } = await addTeam(store);
    const key = makeKey(teamId, { name: "ci" });
    await store.keys.insert(key);
    const failed = makeActivity(teamId, { outcome: "failed", error: "{}" });
    const ofKey = makeActivity(teamId, { keyId: key.id, createdAt: noon + 1 });
    await add(failed, ofKey);
    const page = (more: Partial<ActivityPage>) => store.activity.page({ teamId, since: 0, limit: 10, ...more });
    expect(await page({ outcome: "failed" })).toEqual([listedAs(failed)]);
    expect(await page({ keyName: "ci" })).toEqual([{ ...ofKey, keyName: "ci", jobCredits: null }]);
    expect(await page({ keyName: "dashboard", isKeyless: true })).toEqual([listedAs(failed)]);
    const id = await addJob(store, { teamId, pages: ["/"] });
    await store.transaction(({ jobs }) => jobs.change(id, { credits: 7 }));
    const job = await store.jobs.read(id);
    await add(makeActivity(teamId, { id, rowId: job?.activityRowId ?? "", createdAt: noon + 2 }));
    expect((await page({ limit: 1 }))[0]?.jobCredits).toBe(7);
  });

  it("lets one job have several rows", async () => {
    const teamId = newId();
    const id = newId();
    await add(makeActivity(teamId, { id }), makeActivity(teamId, { id }));
    expect(await store.activity.page({ teamId, since: 0, limit: 10 })).toHaveLength(2);
  });

  it("sets the outcome of a row, and says when the row is gone", async () => {
    const teamId = newId();
    const row = makeActivity(teamId, { outcome: "running" });
    await add(row);
    expect(await store.activity.setOutcome(row, { outcome: "failed", endedAt: noon + 5, credits: 4 })).toBe(true);
    const [listed] = await store.activity.page({ teamId, since: 0, limit: 1 });
    expect(listed).toMatchObject({ outcome: "failed", endedAt: noon + 5, credits: 4 });
    expect(await store.activity.setOutcome({ ...row, rowId: newId() }, { outcome: "failed", endedAt: noon })).toBe(
      false,
    );
  });

  it("knows when a team last succeeded", async () => {
    const teamId = newId();
    const running = makeActivity(teamId, { createdAt: noon + 2, outcome: "running" });
    await add(makeActivity(teamId), running, makeActivity(teamId, { createdAt: noon + 3, outcome: "failed" }));
    await add(makeActivity(newId(), { createdAt: noon + 9 }));
    expect(await store.activity.lastSuccess(teamId)).toBe(noon);
    await store.activity.setOutcome(running, { outcome: "succeeded", endedAt: noon });
    expect(await store.activity.lastSuccess(teamId)).toBe(noon + 2);
    expect(await store.activity.lastSuccess(newId())).toBeNull();
  });

  it.each([undefined, "crawl"])("pages over 10,000 rows while new ones arrive (endpoint %s)", async (endpoint) => {
    const teamId = newId();
    // Seven rows share each instant, so page borders fall between rows of the same time.
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      makeActivity(teamId, {
        createdAt: noon + Math.floor(index / 7),
        endpoint: endpoint && index % 5 === 0 ? endpoint : "scrape",
      }),
    );
    await add(...rows);
    const seen: string[] = [];
    let before: ActivityPlace | undefined;
    for (;;) {
      const request: ActivityPage = { teamId, endpoint, since: noon, before, limit: 100 };
      const page = await store.activity.page(request);
      seen.push(...page.map((row) => row.rowId));
      before = page.at(-1);
      if (page.length < 100) break;
      await add(makeActivity(teamId, { createdAt: noon + hourMs, endpoint: endpoint ?? "scrape" }));
    }
    const expected = rows.filter((row) => endpoint === undefined || row.endpoint === endpoint).map((row) => row.rowId);
    expect(seen).toHaveLength(expected.length);
    expect(new Set(seen)).toEqual(new Set(expected));
  });
});
