// What a site says about itself: its rules and its sitemaps. Sitemap files are cached per team for up to seven days, like pages.
import { type Clock, dayMs, newId, sha256 } from "../../base/index.ts";
import type { ArrivedSitemap, FetchedSitemap, SitemapFile, SitemapWalk } from "../../discovery/index.ts";
import type { Net } from "../../net/index.ts";
import { headersFor, loadDiscovery, type ReadRules, type RulesRequest, type TargetCheck } from "../../reach/index.ts";
import type { FoundCopy, Store } from "../../store/index.ts";

export interface SiteReaderDeps {
  store: Store;
  clock: Clock;
  fetch: Net["fetch"];
  readRules: ReadRules;
  targets: TargetCheck;
  /** The bytes of a cached copy; null when they cannot be read. */
  readCopy(copy: FoundCopy): Promise<Uint8Array | null>;
}

export interface SiteRequest extends RulesRequest {
  teamId: string;
}

export interface SitemapWalkRequest extends SiteRequest {
  starts: readonly string[];
  /** Usual places that the site does not name: no warning if there is no sitemap. */
  guesses?: readonly string[];
  /** Fetch every file again. */
  ignoreCache: boolean;
}

export type SiteReader = ReturnType<typeof createSiteReader>;

const sitemapAgeMs = 7 * dayMs;

export function createSiteReader(deps: SiteReaderDeps, { isShared }: { isShared: boolean }) {
  const copies = createSitemapCopies(deps, isShared);

  return {
    readRules: deps.readRules,

    /** The files that `starts` name, directly or through indexes, in order. */
    async walkSitemaps(request: SitemapWalkRequest): Promise<SitemapWalk> {
      const { createSitemapReader, walkSitemaps } = await loadDiscovery();
      const { teamId, signal, language, own, starts, guesses = [], archive } = request;
      const ignoreCache = request.ignoreCache || archive !== undefined;
      const mayFollow = (url: string) => deps.targets.permits(teamId, url);
      const reader = createSitemapReader({
        fetch: async (one) => {
          const refusal = await deps.targets.refusalOf(teamId, one.url);
          if (refusal) return { ok: false, code: "URL_NOT_ALLOWED", message: refusal.message };
          const outcome = await deps.fetch({ ...one, mayFollow, skipTlsVerification: own === null, archive });
          if (outcome.ok || outcome.code !== "REDIRECT_DECLINED") return outcome;
          return { ok: false, code: "URL_NOT_ALLOWED", message: "It redirects to a host that the team does not read." };
        },
      });

      async function openFile(url: string, how: Parameters<typeof reader.load>[1]): Promise<ArrivedSitemap> {
        const key = sha256(JSON.stringify(["sitemap file", url, language]));
        const copy = own === null && !ignoreCache ? await copies.find(teamId, key) : null;
        const fetched = copy === null ? await reader.load(url, how) : null;
        return async function* () {
          const cached = copy && (await copies.read(copy));
          const file = cached ?? fetched ?? (await reader.load(url, how));
          if (!file.ok) return yield file;
          const pieces = reader.parse(file, how.signal);
          yield* own !== null || cached || archive?.kind === "replay"
            ? pieces
            : keepFirst(pieces, () => copies.keep(teamId, key, file));
        };
      }

      const headersOf = (url: string) => headersFor(new URL(url), request);
      return walkSitemaps({ openFile }, { starts, guesses, signal, headersFor: headersOf });
    },
  };
}

/** Cached copies of sitemap files hold the bytes as received, which are parsed again at each reading. */
function createSitemapCopies({ store, clock, readCopy }: SiteReaderDeps, isShared: boolean) {
  return {
    async keep(teamId: string, key: string, { url, body, isPrivate }: FetchedSitemap): Promise<void> {
      const now = clock.now();
      const expiresAt = now + sitemapAgeMs;
      const blob = await store.blobs.pack({ id: newId(now), teamId, createdAt: now, expiresAt, data: body });
      const details = JSON.stringify({ url, isPrivate });
      const copy = { id: newId(now), teamId, key, fetchedAt: now, expiresAt, blobId: blob.id, details };
      const size = { isShared: isShared && !isPrivate, sizeBytes: blob.packedBytes };
      await store.transaction(async (statements) => {
        await statements.blobs.put([blob]);
        await statements.copies.insert([{ ...copy, ...size }]);
      });
    },

    find(teamId: string, key: string): Promise<FoundCopy | null> {
      const now = clock.now();
      return store.copies.find({ teamId, keys: [key], from: now - sitemapAgeMs, to: now, isSharedToo: isShared });
    },

    async read(copy: FoundCopy): Promise<FetchedSitemap | null> {
      const bytes = await readCopy(copy);
      if (bytes === null) return null;
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return { ok: true, ...JSON.parse(copy.details), body, durationMs: 0 };
    },
  };
}

/** A file is cached before its entries are used, so that the next request does not ask the site again. Web pages are not. */
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
