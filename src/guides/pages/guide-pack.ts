// What the build packed for the site: pages as they are in docs/, pictures, and what browsers load.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { compiledFile } from "../../base/index.ts";

export interface GuidePack {
  /** Markdown by its path below docs/. */
  pages: Readonly<Record<string, string>>;
  /** By their paths below docs/. Null for those that are only in a checkout. */
  pictures: Readonly<Record<string, string | null>>;
  /** The style sheet, the script and the icon. */
  assets: Readonly<Record<string, string>>;
}

const unpack = promisify(brotliDecompress);
const packFile = () => compiledFile(import.meta.url, "../site.br");

export async function readGuidePack(): Promise<GuidePack> {
  const bytes = await unpack(await readFile(packFile()));
  return JSON.parse(bytes.toString()) as GuidePack;
}

/** A picture of docs/; null where this is no checkout. */
export async function readPicture({ pictures }: GuidePack, name: string): Promise<string | Buffer | null> {
  const packed = Object.hasOwn(pictures, name) ? pictures[name] : undefined;
  if (packed === undefined) return null;
  return packed ?? readFile(new URL(name, docsFolder())).catch(() => null);
}

function docsFolder(): URL {
  return new URL("../../docs/", packFile());
}
