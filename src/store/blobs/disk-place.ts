// Blobs as files. A file appears under its name when it is whole and has reached the disk.
import { hash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobPlace, PlacedObject } from "./blob-place.ts";

const partSuffix = ".part";

export function createDiskPlace(folder: string): BlobPlace {
  const made = new Set<string>();
  const pathOf = (id: string) => join(folder, fanOf(id), encodeURIComponent(id));

  return {
    name: "disk",

    async put(id, bytes) {
      const path = pathOf(id);
      if (!made.has(dirname(path))) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        made.add(dirname(path));
      }
      const part = `${path}.${randomBytes(6).toString("hex")}${partSuffix}`;
      try {
        const file = await open(part, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        made.delete(dirname(path));
        await rm(part, { force: true }).catch(() => undefined);
        throw error;
      }
    },

    async get(id, sizeBytes) {
      try {
        // One that has grown is damaged, and is not read.
        if ((await stat(pathOf(id))).size > sizeBytes) return Buffer.alloc(0);
        return await readFile(pathOf(id));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },

    async getPart(id, start, byteCount) {
      try {
        const file = await open(pathOf(id), "r");
        try {
          const part = Buffer.alloc(byteCount);
          const { bytesRead } = await file.read(part, 0, byteCount, start);
          return part.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },

    async remove(ids) {
      for (const id of ids) await rm(pathOf(id), { force: true });
    },

    async *list() {
      for (const fan of await namesIn(folder)) {
        const objects: PlacedObject[] = [];
        for (const name of await namesIn(join(folder, fan))) {
          if (name.endsWith(partSuffix)) continue;
          const { mtimeMs } = await stat(join(folder, fan, name));
          objects.push({ id: decodeURIComponent(name), changedAt: mtimeMs });
        }
        yield objects;
      }
    },

    close: async () => undefined,
  };
}

/** Spreads objects over 256 folders. */
export function fanOf(id: string): string {
  return hash("sha256", id, "hex").slice(0, 2);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
