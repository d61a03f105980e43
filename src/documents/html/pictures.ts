// Pictures inside a container, as data URIs within bounds: no reader ever fetches one from elsewhere.
import type { ZipArchive } from "../packages/zip.ts";

export interface Pictures {
  /** Null for what browsers do not show, and beyond the bounds. */
  source(part: string): string | null;
  warnings(): string[];
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  avif: "image/avif",
};

const maxPictureBytes = 4 * 1024 * 1024;
const maxTotalBytes = 12 * 1024 * 1024;

export function createPictures(zip: ZipArchive): Pictures {
  const made = new Map<string, string | null>();
  let total = 0;
  let left = 0;

  function make(part: string): string | null {
    const type = types[part.slice(part.lastIndexOf(".") + 1).toLowerCase()];
    if (type === undefined || !zip.has(part)) return null;
    let bytes: Buffer | null;
    try {
      bytes = zip.read(part);
    } catch {
      // A broken picture does not take its text with it.
      return null;
    }
    if (!bytes) return null;
    if (bytes.length > maxPictureBytes || total + bytes.length > maxTotalBytes) {
      left += 1;
      return null;
    }
    total += bytes.length;
    return `data:${type};base64,${bytes.toString("base64")}`;
  }

  return {
    source(part) {
      const known = made.get(part);
      if (known !== undefined) return known;
      const source = make(part);
      made.set(part, source);
      return source;
    },
    warnings: () => (left === 0 ? [] : [`${left} pictures of the file are too large to be returned`]),
  };
}
