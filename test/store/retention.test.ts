import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hourMs, minuteMs, newId } from "../../src/base/index.ts";
import { packBlob, packFingerprint, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noLimits } from "../support/job-store.ts";
import { addTeam, makeActivity, makeCharge, makeCopy, makeScrape, noon } from "./rows.ts";

describe.each(engines)("purging on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  let teamId: string;
  beforeEach(async () => {
    opened = await fresh();
    store = opened.store;
    teamId = (await addTeam(store)).id;
  });
  afterEach(() => opened.cleanup());

  it("takes what is old and nothing else", async () => {
    const kept = makeActivity(teamId, { createdAt: noon - 25 * hourMs });
    await store.activity.insert([kept]);
    await store.activity.insert([makeActivity(teamId, { createdAt: noon - 25 * hourMs - 1 })]);
    const window = { teamId, group: "scrape", count: 1, limit: 5 };
    await store.rates.reserve({ ...window, windowStart: noon - 65 * minuteMs });
    await store.rates.reserve({ ...window, windowStart: noon - 65 * minuteMs - 1 });
    const expiries = [noon, noon + 1, null];
    const blobs = expiries.map((expiresAt) => ({
      id: newId(),
      teamId,
      createdAt: 0,
      expiresAt,
      data: Buffer.from("x"),
    }));
    for (const blob of blobs) await store.blobs.put([await packBlob(blob)]);
    await store.charges.charge([makeCharge(teamId, { at: 0 })]);
    const mark = {
      teamId,
      changedAt: 0,
      finalUrl: "",
      etag: null,
      lastModified: null,
      contentKey: "",
      contentHash: null,
    };
    const ages = [90 * 24 * hourMs, 90 * 24 * hourMs + 1];
    for (const [key, age] of ages.entries())
      await store.pageFingerprints.put([
        await packFingerprint({ ...mark, key: String(key), readAt: noon - age, links: ["/a", "/b"] }),
      ]);

    expect(await store.retention.purge({ now: noon, limit: 100 })).toEqual({
      activity: 1,
      rateWindows: 1,
      snapshots: 0,
      pageFingerprints: 1,
      hosts: 0,
      siteRules: 0,
      profiles: 0,
      sessions: 0,
      recordings: 0,
      flowRuns: 0,
      sessionEvents: 0,
      readings: 0,
      usageHours: 1,
      signInLinks: 0,
      personSessions: 0,
      spentChallenges: 0,
      oauthClients: 0,
      oauthRequests: 0,
      oauthCodes: 0,
      oauthTokens: 0,
      copies: 0,
      scrapes: 0,
      knownPages: 0,
      webhooks: 0,
      idempotencyKeys: 0,
      searchPages: 0,
      searchLinks: 0,
      feedback: 0,
      jobRows: 0,
      archives: 0,
      auditRows: 0,
      monitorChecks: 0,
      monitors: 0,
      blobs: 1,
      more: false,
    });
    expect(await store.activity.page({ teamId, since: 0, limit: 10 })).toMatchObject([kept]);
    expect((await store.rates.reserve({ ...window, windowStart: noon - 65 * minuteMs })).used).toBe(2);
    expect(await store.blobs.get(teamId, blobs[1]?.id ?? "", noon)).not.toBeNull();
    expect(await store.charges.listMonths(teamId)).toHaveLength(1);
    const marks = await store.pageFingerprints.find(teamId, ["0", "1"]);
    expect([...marks.keys()]).toEqual(["0"]);
    expect(await marks.get("0")?.links?.urls()).toEqual(["/a", "/b"]);
  });

  it("goes in batches, oldest first, and says whether more is left", async () => {
    const rows = Array.from({ length: 25 }, (_, index) => makeActivity(teamId, { createdAt: index }));
    for (const row of rows) await store.activity.insert([row]);
    expect(await store.retention.purge({ now: noon, limit: 10 })).toMatchObject({ activity: 10, more: true });
    const left = await store.activity.page({ teamId, since: 0, limit: 100 });
    expect(left.map((row) => row.createdAt)).toEqual(Array.from({ length: 15 }, (_, index) => 24 - index));
    expect(await store.retention.purge({ now: noon, limit: 10 })).toMatchObject({ activity: 10, more: true });
    expect(await store.retention.purge({ now: noon, limit: 10 })).toMatchObject({ activity: 5, more: false });
    expect(await store.retention.purge({ now: noon, limit: 10 })).toMatchObject({ activity: 0, more: false });
  });

  it("takes copies from their expiry on, and scrapes an hour after their day", async () => {
    const expiries = [noon - 1, noon, noon + 1];
    const copies = expiries.map((expiresAt) => makeCopy(teamId, { expiresAt, key: `until ${expiresAt}` }));
    const scrapes = [2, 1, 0].map((early) => makeScrape(teamId, { createdAt: noon - 25 * hourMs - early }));
    await store.copies.insert(copies);
    await store.scrapes.insert(scrapes);

    expect(await store.retention.purge({ now: noon, limit: 1 })).toMatchObject({ copies: 1, scrapes: 1, more: true });
    expect(await store.retention.purge({ now: noon, limit: 5 })).toMatchObject({ copies: 1, scrapes: 1, more: false });
    const span = { teamId, from: 0, to: noon, isSharedToo: false };
    const leftCopies = await Promise.all(copies.map(({ key }) => store.copies.find({ ...span, keys: [key] })));
    expect(leftCopies.map((copy) => copy?.blobId)).toEqual([undefined, undefined, copies[2]?.blobId]);
    // Asked as of long ago, so that only the purge can have hidden them.
    const leftScrapes = await Promise.all(scrapes.map(({ id }) => store.scrapes.find(teamId, id, 0)));
    expect(leftScrapes.map((scrape) => scrape?.blobId)).toEqual([undefined, undefined, scrapes[2]?.blobId]);
  });

  it("takes an expired job with all that belongs to it, and leaves the others", async () => {
    const make = async (expiresAt: number | null) => {
      const id = newId();
      const job = { id, teamId, keyId: null, kind: "crawl", apiVersion: "v2", createdAt: noon, pageLimit: 9 } as const;
      const rest = { maxActive: 1, delayMs: 0, scopeUrl: "", activityRowId: "", secrets: null, webhook: null };
      await store.jobs.insert({ ...job, ...rest, ...noLimits, options: "{}" });
      if (expiresAt !== null) await store.jobs.change(id, { set: { status: "completed", expiresAt } });
      const blobIds = [newId(), newId(), newId()];
      for (const [seq, blobId] of blobIds.entries()) {
        const blob = { id: blobId, teamId, createdAt: noon, expiresAt: null, data: Buffer.from("x") };
        await store.blobs.put([await packBlob(blob)]);
        await store.jobResults.insert([{ jobId: id, seq, pageId: newId(), blobId, sizeBytes: 1, details: "{}" }]);
        const page = { jobId: id, key: `k${seq}`, place: seq, id: newId(), url: "https://a.test/", depth: 0 };
        await store.jobPages.add([{ ...page, kind: "page", step: null, state: "done" }]);
      }
      await store.jobResults.insertErrors([{ jobId: id, id: newId(), at: noon, url: "", code: "X", message: "" }]);
      return { id, blobIds };
    };
    const [old, fresh, running] = [await make(noon), await make(noon + 1), await make(null)];
    let rounds = 0;
    while ((await store.retention.purge({ now: noon, limit: 2 })).more) rounds += 1;
    expect(rounds).toBeGreaterThan(2);
    const left = async ({ id, blobIds }: typeof old) => ({
      job: (await store.jobs.read(id)) !== null,
      results: (await store.jobResults.list(id, 0, 10)).length,
      errors: (await store.jobResults.listErrors(id, 10)).length,
      pages: (await store.jobPages.known(id, ["k0", "k1", "k2"])).size,
      blobs: (await Promise.all(blobIds.map((blobId) => store.blobs.get(teamId, blobId, noon)))).filter(Boolean).length,
    });
    expect(await left(old)).toEqual({ job: false, results: 0, errors: 0, pages: 0, blobs: 0 });
    for (const kept of [fresh, running]) {
      expect(await left(kept)).toEqual({ job: true, results: 3, errors: 1, pages: 3, blobs: 3 });
    }
  });
});
