// Blobs as files beside the database, and what becomes of them when the folder cannot be used.
import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourMs, newId } from "../../src/base/index.ts";
import { createDiskPlace, openStore, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { addTeam, noon } from "./rows.ts";

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.each(engines)("blobs on disk, rows on $name", ({ fresh }) => {
  let opened: FreshStore;
  let teamId: string;
  beforeAll(async () => {
    opened = await fresh();
    teamId = (await addTeam(opened.store)).id;
  });
  afterAll(() => opened.cleanup());

  /** One more store on the same database, which writes into its own folder. */
  async function withFolder(work: (store: Store, folder: string) => Promise<void>): Promise<void> {
    const folder = join(temporaryFolder(), "blobs");
    const store = await openStore(opened.options, { places: [createDiskPlace(folder)], writesTo: "disk", restMs: 300 });
    try {
      await work(store, folder);
    } finally {
      await store.close();
    }
  }

  const page = randomBytes(60_000);

  async function put(store: Store, data: Uint8Array = page, expiresAt: number | null = null): Promise<string> {
    const id = newId();
    await store.blobs.put([await store.blobs.pack({ id, teamId, createdAt: noon, expiresAt, data })]);
    return id;
  }

  it("come back as they were, small ones from their row", () =>
    withFolder(async (store, folder) => {
      const text = Buffer.from(Array.from({ length: 3000 }, (_, line) => `line ${line} ${line * 7919}\n`).join(""));
      const [large, packed] = [await put(store), await put(store, text)];
      expect(filesIn(folder)).toHaveLength(2);
      const small = await put(store, Buffer.from("small"));
      expect(filesIn(folder)).toHaveLength(2);
      expect(Buffer.compare((await store.blobs.get(teamId, large, noon)) ?? Buffer.alloc(0), page)).toBe(0);
      expect(Buffer.from((await store.blobs.get(teamId, packed, noon)) ?? "").equals(text)).toBe(true);
      expect(Buffer.from((await store.blobs.getById(small, noon)) ?? "").toString()).toBe("");
      expect(Buffer.from((await store.blobs.get(teamId, small, noon)) ?? "").toString()).toBe("small");
      expect(await store.blobs.get(newId(), large, noon)).toBeNull();
      // A server whose settings do not name the place says so instead of answering that nothing is there.
      await expect(opened.store.blobs.get(teamId, large, noon)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    }));

  it("are handed on in parts when they are large, and never to their end when they are damaged", () =>
    withFolder(async (store, folder) => {
      const data = randomBytes(9_000_000);
      const read = async (id: string) => {
        const parts: Uint8Array[] = [];
        for await (const part of (await store.blobs.openById(id, noon))?.parts ?? []) parts.push(part);
        return parts;
      };
      const id = await put(store, data, noon + hourMs);
      const parts = await read(id);
      expect(parts.length).toBeGreaterThan(2);
      expect(Buffer.concat(parts).equals(data)).toBe(true);
      expect(await read(await put(store, page, noon + hourMs))).toHaveLength(1);
      expect(await store.blobs.openById(newId(), noon)).toBeNull();

      const [file] = filesIn(folder).filter((name) => name.endsWith(id));
      data[8_999_999] = (data[8_999_999] ?? 0) ^ 1;
      writeFileSync(file as string, data);
      await expect(read(id)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      writeFileSync(file as string, data.subarray(0, 8_000_000));
      await expect(read(id)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      rmSync(file as string);
      expect(await store.blobs.openById(id, noon)).toBeNull();
    }));

  it("are as if never kept when they are gone or damaged", () =>
    withFolder(async (store, folder) => {
      const id = await put(store);
      const [file = ""] = filesIn(folder);
      for (const bytes of [Buffer.alloc(60_000), page.subarray(1), Buffer.alloc(0)]) {
        writeFileSync(file, bytes);
        expect(await store.blobs.get(teamId, id, noon)).toBeNull();
      }
      writeFileSync(file, page);
      expect(await store.blobs.get(teamId, id, noon)).not.toBeNull();
      appendFileSync(file, "x");
      expect(await store.blobs.get(teamId, id, noon)).toBeNull();
      rmSync(file);
      expect(await store.blobs.get(teamId, id, noon)).toBeNull();
      expect(store.outside.counts()).toContainEqual({ place: "disk", operation: "read", outcome: "damaged", count: 4 });
      expect(store.outside.counts()).toContainEqual({ place: "disk", operation: "read", outcome: "missing", count: 1 });
    }));

  it("go with their rows", () =>
    withFolder(async (store, folder) => {
      const [first, kept] = [await put(store, page, noon + 1), await put(store, page, noon + 2000)];
      const deleted = await put(store);
      expect(await store.blobs.delete(teamId, deleted)).toBe(true);
      expect(filesIn(folder)).toHaveLength(2);
      await store.retention.purge({ now: noon + 1000, limit: 100 });
      expect(filesIn(folder)).toEqual([expect.stringContaining(kept)]);
      expect(await store.blobs.get(teamId, first, noon)).toBeNull();
      expect(await store.blobs.get(teamId, kept, noon)).not.toBeNull();
    }));

  it("lie in their rows when the folder cannot be written, and later ones in the folder again", () =>
    withFolder(async (store, folder) => {
      // As a full or read-only disk: nothing can be made there.
      writeFileSync(folder, "no folder");
      const id = await put(store);
      const during = await put(store);
      expect(await store.blobs.get(teamId, id, noon)).not.toBeNull();
      expect(await opened.store.blobs.get(teamId, during, noon)).not.toBeNull();
      expect(store.outside.counts()).toEqual([
        { place: "disk", operation: "write", outcome: "failed", count: 1 },
        { place: "disk", operation: "write", outcome: "resting", count: 1 },
      ]);
      rmSync(folder);
      const putAgain = async () => {
        await put(store);
        return store.outside.counts().some(({ outcome }) => outcome === "ok");
      };
      await expect.poll(putAgain).toBe(true);
      expect(filesIn(folder)).toHaveLength(1);
    }));

  it("are compared with the rows: those that no row names, and rows whose bytes are gone", () =>
    withFolder(async (store, folder) => {
      const before = (await store.outside.examine(Date.now()))[0]?.missing ?? 0;
      await put(store);
      const lost = await put(store);
      rmSync(filesIn(folder).find((file) => file.endsWith(lost)) ?? "");
      mkdirSync(join(folder, "00"), { recursive: true });
      const [stray, young] = [join(folder, "00", "stray"), join(folder, "00", "young")];
      for (const file of [stray, young]) writeFileSync(file, "unnamed");
      const old = (Date.now() - 2 * hourMs) / 1000;
      utimesSync(stray, old, old);
      const [found] = await store.outside.examine(Date.now());
      expect(found).toEqual({ place: "disk", strays: ["stray"], missing: before + 1 });
    }));
});
