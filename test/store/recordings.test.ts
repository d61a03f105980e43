// Recordings on both engines: their parts in order, read until they expire, and erased with their pictures.
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("recordings on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  async function record(expiresAt: number) {
    const id = newId();
    const times = { startedAt: noon, endedAt: null, expiresAt };
    await store.recordings.insert({
      id,
      teamId,
      ...times,
      byteCount: 0,
      eventCount: 0,
      isCut: 0,
      sealedSecret: "sealed",
    });
    const blobIds: string[] = [];
    for (const part of [0, 1]) {
      const blobId = newId();
      const data = Buffer.from(`picture ${part}`);
      const blob = await store.blobs.pack({
        id: blobId,
        teamId,
        createdAt: noon,
        expiresAt: noon + 1e9,
        data,
        isCompact: true,
      });
      await store.transaction(async ({ recordings, blobs }) => {
        await blobs.put([blob]);
        await recordings.addPart({ recordingId: id, part, blobId, content: `{"part":${part}}` });
      });
      blobIds.push(blobId);
    }
    return { id, blobIds };
  }

  it("are read by part until they expire, and erased with all their pictures", async () => {
    const { id, blobIds } = await record(noon + 10);
    const other = await record(noon + 1000);
    expect(await store.recordings.note(id, { byteCount: 5, eventCount: 1, isCut: 1 })).toBe(true);
    expect(await store.recordings.read(id, noon)).toMatchObject({ byteCount: 5, isCut: 1, endedAt: null });
    expect((await store.recordings.parts(id)).map(({ part }) => part)).toEqual([0, 1]);
    expect((await store.recordings.part(id, 1))?.content).toBe('{"part":1}');
    const kept = await store.recordings.listKept([id, other.id, newId()], noon);
    expect(kept.map((row) => row.id).toSorted()).toEqual([id, other.id].toSorted());
    await store.recordings.end(id, noon + 5, noon + 20);
    expect(await store.recordings.read(id, noon + 20)).toBeNull();
    expect((await store.retention.purge({ now: noon + 20, limit: 100 })).recordings).toBe(1);
    expect(await store.recordings.parts(id)).toEqual([]);
    for (const blobId of blobIds) expect(await store.blobs.get(teamId, blobId, noon)).toBeNull();
    expect(await store.recordings.parts(other.id)).toHaveLength(2);
    await store.recordings.remove(other.id, noon);
    expect(await store.recordings.read(other.id, noon)).toBeNull();
    expect(await store.recordings.note(other.id, { byteCount: 1, eventCount: 1, isCut: 0 })).toBe(false);
    for (const blobId of other.blobIds) expect(await store.blobs.get(teamId, blobId, noon)).toBeNull();
  });
});
