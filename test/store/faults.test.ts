import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { monthOf, newId, ServiceError } from "../../src/base/index.ts";
import { openStore, packBlob, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { makeActivity, makeCharge, makeKey, makeTeam, noon } from "./rows.ts";

const unavailable = { code: "STORE_UNAVAILABLE", status: 503, retryAfterSeconds: 5, cause: expect.any(Error) };

describe.each(engines)("a storage that cannot be written on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  const team = makeTeam({ name: "kept" });
  const key = makeKey(team.id);
  const largeBlob = () => ({
    id: newId(),
    teamId: team.id,
    createdAt: noon,
    expiresAt: null,
    data: randomBytes(300_000),
  });

  beforeEach(async () => {
    opened = await fresh();
    store = opened.store;
    await store.teams.insert(team);
    await store.keys.insert(key);
    await store.charges.charge([makeCharge(team.id, { credits: 7 })]);
    await store.activity.insert([makeActivity(team.id)]);
  });
  afterEach(() => opened.cleanup());

  async function expectReadingWorks(): Promise<void> {
    expect(await store.teams.findByName("kept")).toEqual(team);
    expect((await store.keys.findByHash(key.hash))?.keyId).toBe(key.id);
    expect(await store.charges.sumMonth(team.id, monthOf(noon))).toBe(7);
    expect(await store.activity.page({ teamId: team.id, since: 0, limit: 10 })).toHaveLength(1);
  }

  async function expectWritingWorks(): Promise<void> {
    await store.blobs.put([await packBlob(largeBlob())]);
    await store.charges.charge([makeCharge(team.id, { credits: 1 })]);
    expect(await store.charges.sumMonth(team.id, monthOf(noon))).toBe(8);
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
  }

  /** PostgreSQL's connections are cut when the setting changes; the first use of each may meet that. */
  async function settle(): Promise<void> {
    await Promise.allSettled(Array.from({ length: 8 }, () => store.teams.list()));
  }

  it("read-only: writes are refused, reads go on, and it recovers", async () => {
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
    const repair = await opened.makeReadOnly();
    await settle();
    await expect(store.teams.insert(makeTeam())).rejects.toMatchObject(unavailable);
    await expect(store.teams.insert(makeTeam())).rejects.toBeInstanceOf(ServiceError);
    await expect(store.charges.charge([makeCharge(team.id)])).rejects.toMatchObject(unavailable);
    await expect(store.blobs.put([await packBlob(largeBlob())])).rejects.toMatchObject(unavailable);
    await expect(store.retention.purge({ now: noon, limit: 5 })).rejects.toMatchObject(unavailable);
    const transaction = store.transaction((statements) => statements.keys.revoke(key.id, noon));
    await expect(transaction).rejects.toMatchObject(unavailable);
    await expectReadingWorks();
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: false });
    await repair();
    await settle();
    await expectWritingWorks();
  });

  it("full: writes are refused, reads go on, and it recovers", async () => {
    const repair = await opened.makeFull();
    await expect(store.blobs.put([await packBlob(largeBlob())])).rejects.toMatchObject(unavailable);
    const halfway = store.transaction(async (statements) => {
      await statements.teams.insert(makeTeam({ name: "halfway" }));
      await statements.blobs.put([await packBlob(largeBlob())]);
    });
    await expect(halfway).rejects.toMatchObject(unavailable);
    await expectReadingWorks();
    expect(await store.teams.findByName("halfway")).toBeNull();
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: false });
    await repair();
    await expectWritingWorks();
  });

  it("full: nothing is saved outside of a transaction that the database gave up by itself", async () => {
    const repair = await opened.makeFull();
    const stubborn = store.transaction(async (statements) => {
      await statements.blobs.put([await packBlob(largeBlob())]).catch(() => {});
      await statements.teams.insert(makeTeam({ name: "stray" })).catch(() => {});
    });
    await expect(stubborn).rejects.toMatchObject(unavailable);
    expect(await store.teams.findByName("stray")).toBeNull();
    await repair();
    await expectWritingWorks();
  });

  it("read-only: a further store still opens and reads", async () => {
    const repair = await opened.makeReadOnly();
    const further = await openStore(opened.options);
    expect(await further.teams.findByName("kept")).toEqual(team);
    await further.close();
    await repair();
    await settle();
  });

  it("leaves errors that are not the storage's as they are", async () => {
    await store.keys.insert(makeKey(team.id, { id: newId() }));
    const sameId = store.keys.insert(makeKey(team.id, { id: key.id, hash: "another" }));
    await expect(sameId).rejects.not.toBeInstanceOf(ServiceError);
  });
});
