import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { hourMs, newId } from "../../src/base/index.ts";
import { type PageCopy, packBlob, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { makeCopy, noon } from "./rows.ts";

describe.each(engines)("copies of pages on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  const stranger = newId();
  const key = "page";
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const query = { teamId, keys: [key] as const, from: noon - hourMs, to: noon, isSharedToo: false };
  const found = ({ teamId, key, fetchedAt, blobId, details }: PageCopy) => ({
    teamId,
    key,
    fetchedAt,
    blobId,
    details,
  });

  it("finds the newest copy of the span, both ends included", async () => {
    const [first, middle, last] = [-hourMs, -1000, 0].map((age) => makeCopy(teamId, { key, fetchedAt: noon + age }));
    if (!first || !middle || !last) throw new Error("unreachable");
    await store.copies.insert([middle, last, first]);
    expect(await store.copies.find(query)).toEqual(found(last));
    expect(await store.copies.find({ ...query, to: noon - 1 })).toEqual(found(middle));
    expect(await store.copies.find({ ...query, to: noon - 1001 })).toEqual(found(first));
    expect(await store.copies.find({ ...query, from: noon - hourMs + 1, to: noon - 1001 })).toBeNull();
    expect(await store.copies.find({ ...query, from: noon + 1, to: noon + hourMs })).toBeNull();
    expect(await store.copies.find({ ...query, keys: ["another page"] })).toBeNull();
  });

  it("finds the newest under either of two keys, of equally old ones that of the first", async () => {
    const [page, document] = [0, 0].map((_, index) => makeCopy(teamId, { key: `key ${index}`, fetchedAt: noon - 10 }));
    const newerPage = makeCopy(teamId, { key: "key 0", fetchedAt: noon });
    if (!page || !document) throw new Error("unreachable");
    await store.copies.insert([page, document]);
    expect(await store.copies.find({ ...query, keys: ["key 1", "key 0"] })).toEqual(found(document));
    expect(await store.copies.find({ ...query, keys: ["key 0", "key 1"] })).toEqual(found(page));
    await store.copies.insert([newerPage]);
    expect(await store.copies.find({ ...query, keys: ["key 1", "key 0"] })).toEqual(found(newerPage));
    expect(await store.copies.find({ ...query, keys: ["key 1"] })).toEqual(found(document));
  });

  it("finds what other teams share only where that is asked for, and never what they do not share", async () => {
    const own = makeCopy(teamId, { key, fetchedAt: noon - 2000 });
    const shared = makeCopy(stranger, { key, fetchedAt: noon - 1000, isShared: true, details: '{"of":"another"}' });
    const hidden = makeCopy(stranger, { key, fetchedAt: noon });
    await store.copies.insert([own, shared, hidden]);
    expect(await store.copies.find(query)).toEqual(found(own));
    expect(await store.copies.find({ ...query, isSharedToo: true })).toEqual(found(shared));
    expect(await store.copies.find({ ...query, teamId: newId() })).toBeNull();
    expect(await store.copies.find({ ...query, teamId: newId(), isSharedToo: true })).toEqual(found(shared));
    expect(await store.copies.find({ ...query, teamId: stranger })).toEqual(found(hidden));
  });

  it.each([0, 1, 2, 8, 9, 2345])("inserts %d at once, each with its own values", async (count) => {
    const copies = Array.from({ length: count }, (_, index) =>
      makeCopy(teamId, { key: `page ${index}`, fetchedAt: noon - index, sizeBytes: index, details: `{"n":${index}}` }),
    );
    await store.copies.insert(copies);
    expect(await store.copies.sumBytes()).toBe(copies.reduce((sum, copy) => sum + copy.sizeBytes, 0));
    for (const copy of [...copies.slice(0, 9), ...copies.slice(-1)]) {
      expect(await store.copies.find({ ...query, keys: [copy.key] })).toEqual(found(copy));
    }
  });

  it("sums the bytes of all teams; a sum may exceed 32 bits", async () => {
    expect(await store.copies.sumBytes()).toBe(0);
    await store.copies.insert([makeCopy(teamId, { sizeBytes: 5e9 }), makeCopy(stranger, { sizeBytes: 5e9 + 1 })]);
    expect(await store.copies.sumBytes()).toBe(1e10 + 1);
  });

  it("forgets the oldest, whose bytes then expire, and keeps the rest", async () => {
    const copies = [3, 1, 2].map((age) => makeCopy(teamId, { key, fetchedAt: noon - age, sizeBytes: age }));
    for (const { blobId: id } of copies) {
      const blob = { id, teamId, createdAt: noon, expiresAt: noon + 24 * hourMs, data: Buffer.from(id) };
      await store.blobs.put([await packBlob(blob)]);
    }
    await store.copies.insert(copies);

    expect(await store.copies.forgetOldest(2, noon + 10)).toBe(2);
    expect(await store.copies.sumBytes()).toBe(1);
    expect((await store.copies.find(query))?.fetchedAt).toBe(noon - 1);
    expect(await store.copies.find({ ...query, to: noon - 2 })).toBeNull();
    const shownAt = async (now: number) => {
      const blobs = await Promise.all(copies.map(({ blobId }) => store.blobs.get(teamId, blobId, now)));
      return blobs.map((blob) => blob !== null);
    };
    expect(await shownAt(noon + 9)).toEqual([true, true, true]);
    expect(await shownAt(noon + 10)).toEqual([false, true, false]);

    expect(await store.copies.forgetOldest(2, noon + 10)).toBe(1);
    expect(await store.copies.forgetOldest(2, noon + 10)).toBe(0);
    expect(await store.copies.sumBytes()).toBe(0);
  });
});
