// Reads one sitemap file: fetched, unpacked by its bytes, parsed in slices, its URLs made absolute, and passed on in
// pieces, so that it is never in memory as a whole. A broken file gives a warning or a value, never an exception.
import { setImmediate } from "node:timers/promises";
import { constants, createGunzip } from "node:zlib";
import { createDeadline, maxUrlLength, ownCopy, parseUrl } from "../../base/index.ts";
import type { FetchFailureCode, Net } from "../../net/index.ts";
import { SitemapParser } from "./sitemap-parser.ts";
import type { SitemapEntry, SitemapKind } from "./sitemap-shapes.ts";
import { decodeEntities } from "./sitemap-text.ts";

export interface SitemapReaderDeps {
  fetch: Net["fetch"];
}

export interface SitemapLimits {
  /** From the first byte asked for to the last entry. */
  fileMs: number;
  wireBytes: number;
  decodedBytes: number;
  entries: number;
}

export interface SitemapFileRequest {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** A file as it came. */
export interface FetchedSitemap {
  ok: true;
  /** After redirects: what its URLs are relative to. */
  url: string;
  body: Buffer;
  /** What the fetching took. */
  durationMs: number;
  /** It came from the operator's own network. */
  isPrivate: boolean;
}

/** A piece of a file. */
export interface SitemapContent {
  ok: true;
  kind: SitemapKind;
  /**
   * Absolute http and https URLs, in the order of the file; of an index: the files that it names. A URL may be cut
   * from the text around it and keep that alive (V8): who holds on to it takes an `ownCopy`.
   */
  entries: SitemapEntry[];
  /** What was left out, in sentences; with the last piece. */
  warnings: string[];
}

export interface SitemapFailure {
  ok: false;
  code: FetchFailureCode | "BAD_STATUS";
  /** Given with BAD_STATUS: an answer that is not 200 is no sitemap. */
  status?: number;
  message: string;
}

export type SitemapFile = SitemapContent | SitemapFailure;

/** A file that has arrived. Parsed when it is called, once, as far as its pieces are taken: at least one, a failure last. */
export type ArrivedSitemap = () => AsyncIterable<SitemapFile>;

export interface SitemapReader {
  /** To parse a file costs far more than to have it, and not every file is needed. */
  load(url: string, request: SitemapFileRequest): Promise<FetchedSitemap | SitemapFailure>;
  parse(file: FetchedSitemap, signal: AbortSignal): AsyncGenerator<SitemapFile, void>;
}

const megabyte = 1024 * 1024;

const defaultLimits: SitemapLimits = {
  fileMs: 60_000,
  wireBytes: 50 * megabyte,
  decodedBytes: 50 * megabyte,
  entries: 50_000,
};
const maxRatio = 200;
const ratioFreeBytes = 10 * megabyte;
const maxLayers = 2;
/** Parsing this much takes a millisecond or two; then others have their turn. */
const sliceBytes = 32 * 1024;
/** Entries of a piece, or a few more. */
const pieceEntries = 500;
const maxTextLength = 1000;

export function createSitemapReader(deps: SitemapReaderDeps, options: Partial<SitemapLimits> = {}): SitemapReader {
  const limits = { ...defaultLimits, ...options };
  const { fileMs, wireBytes, decodedBytes } = limits;
  return {
    async load(url, { signal, headers = {} }) {
      const deadline = createDeadline(signal, fileMs);
      try {
        const outcome = await deps.fetch({
          url,
          headers,
          signal: deadline.signal,
          limits: { wireBytes, decodedBytes },
        });
        if (!outcome.ok || outcome.status === 200) return outcome;
        const { status } = outcome;
        return { ok: false, code: "BAD_STATUS", status, message: `The site returned status ${status}` };
      } finally {
        deadline.clear();
      }
    },
    parse: (file, signal) => parse(file, limits, signal),
  };
}

async function* parse(
  { body, url: base, durationMs }: FetchedSitemap,
  limits: SitemapLimits,
  signal: AbortSignal,
): AsyncGenerator<SitemapFile, void> {
  let endsAt = performance.now() + limits.fileMs - durationMs;
  let entries: SitemapEntry[] = [];
  const warnings: string[] = [];
  let seen = 0;
  let unusable = 0;
  const resolve = createResolve(base);
  const parser = new SitemapParser((entry) => {
    seen += 1;
    if (seen > limits.entries) return;
    const whole = makeWhole(entry, resolve);
    if (whole === null) unusable += 1;
    else entries.push(whole);
  });
  for await (const slice of unpack(body, { limits, warnings, wireBytes: body.length })) {
    parser.write(slice);
    if (parser.isDone || seen > limits.entries) break;
    await setImmediate();
    if (signal.aborted || performance.now() > endsAt) return yield stopped(signal);
    if (entries.length < pieceEntries) continue;
    const handedAt = performance.now();
    yield { ok: true, kind: parser.kind, entries, warnings: [] };
    entries = [];
    // What the taker does with it is not the file's fault.
    endsAt += performance.now() - handedAt;
  }
  const { kind, isComplete } = parser.end();
  if (seen > limits.entries) {
    warnings.push(`A sitemap was truncated after ${limits.entries.toLocaleString("en")} URLs`);
  } else if (!isComplete && warnings.length === 0) {
    warnings.push("A sitemap ends in the middle of its content");
  }
  if (unusable > 0)
    warnings.push(count(unusable, "entry is not an http or https URL", "entries are not http or https URLs"));
  if (parser.tooLong > 0) {
    warnings.push(`${count(parser.tooLong, "URL is", "URLs are")} longer than ${maxUrlLength} characters`);
  }
  yield { ok: true, kind, entries, warnings };
}

/** Null when its URL cannot be requested. */
function makeWhole(entry: SitemapEntry, resolve: Resolve): SitemapEntry | null {
  const href = resolve(entry.url);
  if (href === null || href.length > maxUrlLength) return null;
  if (href === entry.url && entry.title === undefined && entry.description === undefined) return entry;
  const whole: SitemapEntry = entry.lastmod === undefined ? { url: href } : { url: href, lastmod: entry.lastmod };
  if (entry.title !== undefined) setIfAny(whole, "title", plainText(entry.title));
  if (entry.description !== undefined) setIfAny(whole, "description", plainText(entry.description));
  return whole;
}

/** Null for what is no http or https URL. */
type Resolve = (url: string) => string | null;

/** Paths that the URL parser gives back as they are. Without escapes, for it knows some of them as dots. */
const plainPath = /(?:\/(?!\.)[\w\-~!$&'()*+,;=:@.]*)+$/y;

/** URLs as the URL parser writes them. Most need only the look of it: asking for each took a third of all time. */
function createResolve(base: string): Resolve {
  /** The latest origin that is written as the parser would, `https://example.com`. */
  let origin = "\0";

  return (url) => {
    // `startsWith` takes four times as long.
    if (url.indexOf(origin) === 0) {
      plainPath.lastIndex = origin.length;
      if (plainPath.test(url)) return url;
    }
    const root = /^https?:\/\//i.test(url) ? undefined : base;
    const address = parseUrl(url, root);
    if (!address || !/^https?:$/.test(address.protocol)) return null;
    if (url.startsWith(`${address.origin}/`)) origin = address.origin;
    return address.href;
  };
}

function setIfAny(entry: SitemapEntry, field: "title" | "description", text: string): void {
  if (text !== "") entry[field] = ownCopy(text);
}

/** Feeds put HTML into their texts. */
function plainText(text: string): string {
  const bare = text.includes("<") ? decodeEntities(withoutTags(text)) : text;
  return bare.replace(/\s+/g, " ").trim().slice(0, maxTextLength);
}

function withoutTags(text: string): string {
  let bare = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf("<", at);
    if (start === -1) return bare + text.slice(at);
    if (!/[a-z/!?]/i.test(text.charAt(start + 1))) {
      bare += text.slice(at, start + 1);
      at = start + 1;
      continue;
    }
    bare += `${text.slice(at, start)} `;
    const end = text.indexOf(">", start);
    if (end === -1) return bare;
    at = end + 1;
  }
}

interface Unpacking {
  limits: SitemapLimits;
  wireBytes: number;
  warnings: string[];
}

/** gzip is known by its first bytes: names and headers lie. A cut is a warning; what came before it counts. */
async function* unpack(body: Buffer, how: Unpacking, layers = maxLayers): AsyncGenerator<Buffer> {
  if (!isGzip(body) || layers === 0) {
    for (let at = 0; at < body.length; at += sliceBytes) yield body.subarray(at, at + sliceBytes);
    return;
  }
  // A file packed twice is small after the first time, or it runs into the limits.
  const inner: Buffer[] = [];
  for await (const chunk of gunzip(body, how)) {
    if (inner.length > 0 || (layers > 1 && isGzip(chunk))) inner.push(chunk);
    else yield chunk;
  }
  if (inner.length > 0) yield* unpack(Buffer.concat(inner), how, layers - 1);
}

async function* gunzip(body: Buffer, { limits, wireBytes, warnings }: Unpacking): AsyncGenerator<Buffer> {
  // Z_SYNC_FLUSH: a file that breaks off gives what is there instead of an error.
  const stream = createGunzip({ chunkSize: sliceBytes, finishFlush: constants.Z_SYNC_FLUSH });
  stream.end(body);
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ratioFreeBytes && size > maxRatio * wireBytes) {
        warnings.push(`A sitemap was truncated because it expands more than ${maxRatio} times when decompressed`);
        return;
      }
      if (size > limits.decodedBytes) {
        warnings.push(`A sitemap was truncated after ${Math.floor(limits.decodedBytes / megabyte)} MB`);
        return;
      }
      yield chunk;
    }
  } catch {
    warnings.push("A sitemap was truncated where its compressed data is corrupt");
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function stopped(signal: AbortSignal): SitemapFailure {
  if (signal.aborted) return { ok: false, code: "ABORTED", message: "The request was cancelled" };
  return { ok: false, code: "SCRAPE_TIMEOUT", message: "The sitemap was not read in time" };
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
