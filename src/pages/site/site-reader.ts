// What a site says about itself: its robots.txt and its sitemaps. Map and crawl begin here. Sitemaps are kept per team for up
// to seven days, like other copies.
import { type Clock, dayMs, newId, sha256 } from "../../base/index.ts";
import type {
  ArrivedSitemap,
  FetchedSitemap,
  RobotsReader,
  RobotsState,
  SitemapFile,
  SitemapWalk,
} from "../../discovery/index.ts";
import type { Net } from "../../net/index.ts";
import { type FoundCopy, packBlob, type Store } from "../../store/index.ts";

export interface SiteReaderDeps {
  store: Store;
  clock: Clock;
  fetch: Net["fetch"];
}

export interface SiteRequest {
  teamId: string;
  signal: AbortSignal;
  /** Accept-Language. */
  language: string;
  /** Headers of a caller's own go to one origin only; with them nothing is kept and nothing kept is used. */
  own: { origin: string; headers: Readonly<Record<string, string>> } | null;
  /** Whose rules of robots.txt hold; ours unless given. */
  robotsAgent?: string;
}

export interface SitemapRequest extends SiteRequest {
  starts: readonly string[];
  /** Where nobody promised a sitemap; nothing is said of those that are not there. */
  guesses?: readonly string[];
  /** Read every file anew. */
  ignoreCache: boolean;
}

export type SiteReader = ReturnType<typeof createSiteReader>;

const sitemapAgeMs = 7 * dayMs;

export function createSiteReader(deps: SiteReaderDeps, { isShared }: { isShared: boolean }) {
  const { store, clock } = deps;
  let robotsReader: RobotsReader | null = null;

  /** The bytes as they came: to make them small costs little, and what they say is found out again at every reading. */
  async function keep(teamId: string, key: string, { url, body, isPrivate }: FetchedSitemap): Promise<void> {
    const now = clock.now();
    const expiresAt = now + sitemapAgeMs;
    const blob = await packBlob({ id: newId(now), teamId, createdAt: now, expiresAt, data: body });
    const details = JSON.stringify({ url, isPrivate });
    const copy = { id: newId(now), teamId, key, fetchedAt: now, expiresAt, blobId: blob.id, details };
    const size = { isShared: isShared && !isPrivate, sizeBytes: blob.data.byteLength };
    await store.transaction(async (statements) => {
      await statements.blobs.put([blob]);
      await statements.copies.insert([{ ...copy, ...size }]);
    });
  }

  async function readCopy({ teamId, blobId, details }: FoundCopy): Promise<FetchedSitemap | null> {
    const bytes = await store.blobs.get(teamId, blobId, clock.now());
    if (bytes === null) return null;
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { ok: true, ...JSON.parse(details), body, durationMs: 0 };
  }

  return {
    async readRobots(url: URL, request: Omit<SiteRequest, "teamId">): Promise<RobotsState> {
      const { createRobotsReader } = await import("../../discovery/index.ts");
      robotsReader ??= createRobotsReader(deps);
      const { signal, own, robotsAgent } = request;
      const agent = robotsAgent === undefined ? {} : { agent: robotsAgent };
      const headers = headersFor(url, request);
      return robotsReader.read(url, { signal, headers, skipTlsVerification: own === null, ...agent });
    },

    /** The files that `starts` name, themselves or by indexes, in order. */
    async walkSitemaps(request: SitemapRequest): Promise<SitemapWalk> {
      const { createSitemapReader, walkSitemaps } = await import("../../discovery/index.ts");
      const { teamId, signal, language, own, starts, guesses = [], ignoreCache } = request;
      const reader = createSitemapReader({ fetch: (one) => deps.fetch({ ...one, skipTlsVerification: own === null }) });

      async function openFile(url: string, how: Parameters<typeof reader.load>[1]): Promise<ArrivedSitemap> {
        const now = clock.now();
        const key = sha256(JSON.stringify(["sitemap file", url, language]));
        const span = { from: now - sitemapAgeMs, to: now };
        const mayUse = own === null && !ignoreCache;
        const copy = mayUse ? await store.copies.find({ teamId, keys: [key], ...span, isSharedToo: isShared }) : null;
        const fetched = copy === null ? await reader.load(url, how) : null;
        return async function* () {
          const kept = copy && (await readCopy(copy));
          const file = kept ?? fetched ?? (await reader.load(url, how));
          if (!file.ok) return yield file;
          const pieces = reader.parse(file, how.signal);
          yield* own !== null || kept ? pieces : keepFirst(pieces, () => keep(teamId, key, file));
        };
      }

      const headersOf = (url: string) => headersFor(new URL(url), request);
      return walkSitemaps({ openFile }, { starts, guesses, signal, headersFor: headersOf });
    },
  };
}

/** A file is kept before its entries are used, so that the next request need not ask the site again. Web pages are not. */
async function* keepFirst(pieces: AsyncIterable<SitemapFile>, keep: () => Promise<void>) {
  let isKept = false;
  for await (const piece of pieces) {
    if (!isKept && piece.ok && piece.kind !== "html") {
      isKept = true;
      await keep();
    }
    yield piece;
  }
}

function headersFor({ origin }: URL, { language, own }: Pick<SiteRequest, "language" | "own">) {
  return { "accept-language": language, ...(own?.origin === origin ? own.headers : {}) };
}
