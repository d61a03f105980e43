import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { packBlob, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

const html = Buffer.from("<li><a href='/page'>A page among many</a></li>\n".repeat(120_000));

describe.each(engines)("blobs on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  async function put(data: Uint8Array, expiresAt: number | null = null): Promise<string> {
    const id = newId();
    await store.blobs.put([await packBlob({ id, teamId, createdAt: noon, expiresAt, data })]);
    return id;
  }

  it.each([
    ["0 bytes", Buffer.alloc(0)],
    ["one zero byte", Buffer.alloc(1)],
    ["short text", Buffer.from("short")],
    ["every byte", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["5 MB of noise", randomBytes(5_000_000)],
    ["5 MB of HTML", html],
    ["a part of a larger buffer", new Uint8Array(html.buffer, html.byteOffset + 7, 4000)],
  ])("gives back %s as they were", async (_, data) => {
    const read = await store.blobs.get(teamId, await put(data), noon);
    expect(read).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(read as Uint8Array, data)).toBe(0);
  });

  it("hides a blob from its expiry on, purged or not", async () => {
    const id = await put(Buffer.from("soon gone"), noon + 10);
    expect(await store.blobs.get(teamId, id, noon + 9)).not.toBeNull();
    expect(await store.blobs.get(teamId, id, noon + 10)).toBeNull();
  });

  it("renews blobs that are still there, never shortens their life, and tells when one is gone", async () => {
    const [first, second] = [await put(Buffer.from("one"), noon + 10), await put(Buffer.from("two"), noon + 500)];
    expect(await store.blobs.renew(teamId, [first, second], noon + 100, noon)).toBe(true);
    expect(await store.blobs.getById(first, noon + 99)).not.toBeNull();
    expect(await store.blobs.getById(first, noon + 100)).toBeNull();
    expect(await store.blobs.getById(second, noon + 499)).not.toBeNull();
    expect(await store.blobs.renew(teamId, [first, second], noon + 900, noon + 100)).toBe(false);
    expect(await store.blobs.renew(newId(), [second], noon + 900, noon)).toBe(false);
    expect(await store.blobs.renew(teamId, [], noon, noon)).toBe(true);
  });

  it("shows and deletes a team's own blobs only", async () => {
    const id = await put(Buffer.from("mine"));
    const stranger = newId();
    expect(await store.blobs.get(stranger, id, noon)).toBeNull();
    expect(await store.blobs.delete(stranger, id)).toBe(false);
    expect(await store.blobs.delete(teamId, id)).toBe(true);
    expect(await store.blobs.delete(teamId, id)).toBe(false);
    expect(await store.blobs.get(teamId, id, noon)).toBeNull();
  });
});
