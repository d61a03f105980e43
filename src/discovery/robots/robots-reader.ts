// Which URLs of a site we may fetch: its robots.txt, fetched once for all callers, and cached.
// A site whose rules cannot be read is closed, for a minute at a time.
import { type Clock, createDeadline, hourMs, minuteMs, sha256 } from "../../base/index.ts";
import type { FetchFailureCode, FetchOutcome, Net, Way } from "../../net/index.ts";
import { maxRobotsBytes, parseRobots } from "./robots.ts";

/** The product token by which a robots.txt names us. */
export const robotsAgent = "TrawlBot";

export interface RobotsState {
  /** `free`: nothing is restricted; `closed`: the rules could not be read, so everything is. */
  state: "rules" | "free" | "closed";
  /** Absolute URLs; a free site may name some too. */
  sitemaps: string[];
  /** For URLs of the origin that was asked about. */
  allows(url: string | URL): boolean;
  /** At most a minute, whatever the file asks for. */
  crawlDelayMs: number | null;
  /** Why the site is closed, as a sentence for a warning. */
  reason?: string;
  /** How the site failed, when it did not answer at all: then it is not its rules that forbid anything. */
  failure?: FetchFailureCode;
}

export interface RobotsRequest {
  /** Ends this caller's wait, by a rejection with its reason; others go on waiting. */
  signal: AbortSignal;
  /** Requests with other headers are cached apart: the site may answer them differently. */
  headers?: Readonly<Record<string, string>>;
  skipTlsVerification?: boolean;
  /** Which proxies, one after the other while the site refuses; the basic ones unless given. */
  ways?: readonly Way[];
  /** Whose rules hold; ours unless given. */
  agent?: string;
}

export interface RobotsReader {
  read(url: string | URL, request: RobotsRequest): Promise<RobotsState>;
}

export interface RobotsReaderOptions {
  timeoutMs?: number;
  maxOrigins?: number;
  maxBytes?: number;
}

interface Entry {
  state: RobotsState;
  until: number;
  sizeBytes: number;
}

interface Reading {
  entry: Promise<Entry>;
  waiting: number;
  stop: AbortController;
}

/** RFC 9309 2.3.1.2: at least five. */
const maxRedirects = 5;
const timeoutMs = 10_000;
const rulesAgeMs = 24 * hourMs;
const closedAgeMs = minuteMs;
/** The first 512 KiB count; one byte more tells whether the last line is whole. */
const firstBytes = maxRobotsBytes + 1;
/** What is packed so badly that even the first part takes more closes the site. */
const maxTransferBytes = 10 * 1024 * 1024;
/** No page of a site that fails like this could be read either. */
const unanswered: ReadonlySet<FetchFailureCode> = new Set([
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
  "SCRAPE_TIMEOUT",
]);
/** Failures that may be this visitor's. */
const turnedAway: ReadonlySet<FetchFailureCode> = new Set([
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
  "SCRAPE_TIMEOUT",
  "SCRAPE_PROXY_ERROR",
]);
/** A rule's own objects, roughly; its text is counted apart. */
const ruleBytes = 300;

export function createRobotsReader(
  deps: { fetch: Net["fetch"]; clock: Clock },
  options: RobotsReaderOptions = {},
): RobotsReader {
  const readings = new Map<string, Reading>();
  const entries = createEntries(deps.clock, options);

  async function fetchEntry(origin: string, request: RobotsRequest, stop: AbortSignal): Promise<Entry> {
    const [first = {}, ...others] = request.ways ?? [];
    let outcome = await fetchBy(first, origin, request, stop);
    for (const way of others) {
      if (!isTurnedAway(outcome) || stop.aborted) break;
      const next = await fetchBy(way, origin, request, stop);
      // A failing proxy says nothing about the site.
      if (next.ok || !outcome.ok) outcome = next;
    }
    return entryOf(origin, outcome, request.agent ?? robotsAgent, deps.clock.now());
  }

  async function fetchBy(way: Way, origin: string, request: RobotsRequest, stop: AbortSignal): Promise<FetchOutcome> {
    const deadline = createDeadline(stop, options.timeoutMs ?? timeoutMs);
    const { headers, skipTlsVerification } = request;
    try {
      return await deps.fetch({
        url: `${origin}/robots.txt`,
        signal: deadline.signal,
        maxRedirects,
        limits: { wireBytes: maxTransferBytes, decodedBytes: maxTransferBytes, firstBytes },
        way,
        ...(headers && { headers }),
        ...(skipTlsVerification !== undefined && { skipTlsVerification }),
      });
    } finally {
      deadline.clear();
    }
  }

  function begin(key: string, origin: string, request: RobotsRequest): Reading {
    const stop = new AbortController();
    const remember = (found: Entry) => {
      if (!stop.signal.aborted) entries.keep(key, found);
      return found;
    };
    const entry = fetchEntry(origin, request, stop.signal)
      .then(remember)
      .finally(() => forget(key, reading));
    const reading: Reading = { entry, waiting: 0, stop };
    readings.set(key, reading);
    return reading;
  }

  /** A reading that was given up may already have a successor. */
  function forget(key: string, reading: Reading): void {
    if (readings.get(key) === reading) readings.delete(key);
  }

  /** The request itself is aborted only when its last caller has gone. */
  function wait(key: string, reading: Reading, signal: AbortSignal): Promise<RobotsState> {
    reading.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reading.waiting -= 1;
        if (reading.waiting === 0) {
          forget(key, reading);
          reading.stop.abort();
        }
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      reading.entry
        .then(({ state }) => resolve(state), reject)
        .finally(() => signal.removeEventListener("abort", leave));
    });
  }

  return {
    async read(url, request) {
      request.signal.throwIfAborted();
      const { origin } = new URL(url);
      const key = keyOf(origin, request);
      const known = entries.find(key);
      if (known !== null) return known;
      return wait(key, readings.get(key) ?? begin(key, origin, request), request.signal);
    },
  };
}

/** Another visitor might be told more: the site did not answer this one, or refused it. */
function isTurnedAway(outcome: FetchOutcome): boolean {
  if (!outcome.ok) return turnedAway.has(outcome.code);
  const { status } = outcome;
  return status === 401 || status === 403 || status === 429 || status >= 500;
}

/** Headers and proxies may hold secrets, so only their hash stays in memory. */
function keyOf(origin: string, { headers = {}, ways = [], skipTlsVerification = false, agent = "" }: RobotsRequest) {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const variant = own.length + ways.length === 0 ? "" : sha256(JSON.stringify([own.sort(), ways]));
  return `${origin} ${skipTlsVerification} ${variant} ${agent}`;
}

function entryOf(origin: string, outcome: FetchOutcome, agent: string, now: number): Entry {
  if (!outcome.ok) {
    // RFC 9309 2.3.1.2: past five redirects the file counts as absent, as it does for Google.
    if (outcome.code === "SCRAPE_TOO_MANY_REDIRECTS") return absent(now);
    const entry = closed(`The robots.txt of ${origin} could not be read (${outcome.message})`, now);
    return unanswered.has(outcome.code) ? { ...entry, state: { ...entry.state, failure: outcome.code } } : entry;
  }
  const { status, body, url } = outcome;
  if (status >= 500) return closed(`The robots.txt of ${origin} returned status ${status}`, now);
  if (status < 200 || status >= 300) return absent(now);
  const robots = parseRobots(body, url);
  const rules = robots.rulesFor(agent);
  const { crawlDelaySeconds } = rules;
  const isFree = rules.ruleCount === 0 && crawlDelaySeconds === null;
  return {
    state: {
      state: isFree ? "free" : "rules",
      sitemaps: robots.sitemaps,
      allows: rules.allows,
      crawlDelayMs: crawlDelaySeconds === null ? null : Math.min(crawlDelaySeconds * 1000, minuteMs),
    },
    until: now + rulesAgeMs,
    // Pieces of the text keep the whole of it in memory.
    sizeBytes: Math.min(body.length, maxRobotsBytes) + (1 + rules.ruleCount + robots.sitemaps.length) * ruleBytes,
  };
}

/** RFC 9309 2.3.1.3, with 401, 403 and 429 among the rest: a site that wants to be closed says so in the file. */
function absent(now: number): Entry {
  const state: RobotsState = { state: "free", sitemaps: [], allows: () => true, crawlDelayMs: null };
  return { state, until: now + rulesAgeMs, sizeBytes: ruleBytes };
}

function closed(why: string, now: number): Entry {
  const reason = `${why}, so no page of this site can be fetched for now.`;
  const state: RobotsState = { state: "closed", sitemaps: [], allows: () => false, crawlDelayMs: null, reason };
  return { state, until: now + closedAgeMs, sizeBytes: ruleBytes };
}

/** Cached rules in the order of their last use: the first is evicted first. */
function createEntries(clock: Clock, { maxOrigins = 5000, maxBytes = 64 * 1024 * 1024 }: RobotsReaderOptions) {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= entries.get(key)?.sizeBytes ?? 0;
    entries.delete(key);
  }

  return {
    find(key: string): RobotsState | null {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (entry.until <= clock.now()) {
        forget(key);
        return null;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry.state;
    },

    keep(key: string, entry: Entry): void {
      forget(key);
      entries.set(key, entry);
      bytes += entry.sizeBytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxOrigins && bytes <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}
