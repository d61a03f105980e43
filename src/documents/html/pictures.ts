// Pictures inside files, as data URIs within bounds: no reader ever fetches one from elsewhere.
import type { ZipArchive } from "../../base/index.ts";

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

/** The pictures of one file. */
export class PictureShelf {
  private total = 0;
  private left = 0;

  /** Its data URI; null beyond the bounds. */
  put(type: string, bytes: Buffer): string | null {
    if (bytes.length > maxPictureBytes || this.total + bytes.length > maxTotalBytes) return this.refuse();
    this.total += bytes.length;
    return `data:${type};base64,${bytes.toString("base64")}`;
  }

  refuse(): null {
    this.left += 1;
    return null;
  }

  warnings(): string[] {
    return this.left === 0 ? [] : [`${this.left} pictures of the file are too large to be returned`];
  }
}

export interface Pictures {
  /** Null for what browsers do not show, and beyond the bounds. */
  source(part: string): string | null;
  warnings(): string[];
}

/** Those of a container, by the names of their parts. */
export function createPictures(zip: ZipArchive): Pictures {
  const made = new Map<string, string | null>();
  const shelf = new PictureShelf();

  function make(part: string): string | null {
    const type = types[part.slice(part.lastIndexOf(".") + 1).toLowerCase()];
    if (type === undefined || !zip.has(part)) return null;
    try {
      const bytes = zip.read(part);
      return bytes && shelf.put(type, bytes);
    } catch {
      // A broken picture does not take its text with it.
      return null;
    }
  }

  return {
    source(part) {
      const known = made.get(part);
      if (known !== undefined) return known;
      const source = make(part);
      made.set(part, source);
      return source;
    },
    warnings: () => shelf.warnings(),
  };
}
