// Walks sitemaps and the files that their indexes name: fetched a few ahead, delivered in the order of the indexes, each
// file once. Which files are read depends on what they contain alone, never on which answers first.
import { setImmediate } from "node:timers/promises";
import { ownCopy, parseUrl, withoutFragment } from "../../base/index.ts";
import type { ArrivedSitemap, SitemapFailure } from "./sitemap-reader.ts";
import type { SitemapEntry } from "./sitemap-shapes.ts";

export interface SitemapWalkDeps {
  /** Resolves when the file is here, from wherever it comes. */
  openFile(
    url: string,
    request: { signal: AbortSignal; headers: Readonly<Record<string, string>> },
  ): Promise<ArrivedSitemap>;
}

export interface SitemapWalkOptions {
  /** Read in this order, each before the next. */
  starts: readonly string[];
  /** Likely places of a sitemap: read after the starts, without a warning for those that do not exist. */
  guesses?: readonly string[];
  signal: AbortSignal;
  /** An index may name any host, and headers may hold secrets. */
  headersFor?(url: string): Readonly<Record<string, string>>;
  /** Whether a file that an index names is to be read; all are unless given. */
  isWanted?(url: string): boolean;
}

/** A file or a piece of it. */
export interface WalkedSitemap {
  url: string;
  kind: "urlset" | "feed" | "text";
  entries: SitemapEntry[];
}

export interface SitemapWalk {
  /** Call it once. Ends early and silently when the signal aborts; a consumer that stops also stops the fetching. */
  files(): AsyncGenerator<WalkedSitemap, void>;
  /** What could not be read or was left out so far, at most ten sentences. */
  warnings(): string[];
}

interface Node {
  url: string;
  /** 1 for a start. */
  level: number;
  isGuess: boolean;
  arrival: Promise<ArrivedSitemap> | null;
}

/** Bounds for sites with endless sitemaps. */
const maxFiles = 500;
const maxLevel = 3;
/** Files that are read at once, the next one to be delivered included. */
const maxAhead = 4;
/** Files read ahead wait while those of an index before them are delivered. */
const maxHeld = 8;
/** An index names up to 50,000 files; others have their turn after so many. */
const namesPerTurn = 2000;
const unusableKinds = { html: "a web page", empty: "empty", unknown: "unknown format" };

export function walkSitemaps(deps: SitemapWalkDeps, options: SitemapWalkOptions): SitemapWalk {
  const { signal, headersFor = () => ({}), isWanted = () => true } = options;
  const starts = options.starts.map(normalise);
  const guesses = (options.guesses ?? []).map(normalise);
  const notes = createNotes();
  const seen = new Set<string>();
  const stopping = new AbortController();
  let queue: Node[] = [];
  let filesStarted = 0;

  function isGuess(url: string): boolean {
    return guesses.includes(url) && !starts.includes(url);
  }

  /** New files come before what was waiting; what is then too much falls off at the far end. */
  async function enqueue(urls: readonly string[], level: number, isTaken: (url: string) => boolean): Promise<void> {
    const added: Node[] = [];
    for (const [place, url] of urls.entries()) {
      if (place % namesPerTurn === namesPerTurn - 1) await setImmediate();
      const file = ownCopy(withoutFragment(url));
      if (seen.has(file) || !isTaken(file)) continue;
      // One more than can be read, so that the cut below is noticed.
      if (added.length > maxFiles) break;
      seen.add(file);
      added.push({ url: file, level, isGuess: level === 1 && isGuess(file), arrival: null });
    }
    const all = [...added, ...queue];
    let room = maxFiles - filesStarted;
    queue = all.filter((node) => {
      if (node.arrival !== null) return true;
      room -= 1;
      return room >= 0;
    });
    if (queue.length < all.length) notes.add(`Only the first ${maxFiles} sitemaps were read`);
  }

  /** Called where the queue changes, not when an answer arrives: so the same files are read every time. */
  function readAhead(): void {
    let held = queue.filter((node) => node.arrival !== null).length;
    for (const [place, node] of queue.slice(0, maxAhead).entries()) {
      if (node.arrival !== null) continue;
      if (held >= maxHeld && place > 0) return;
      node.arrival = deps.openFile(node.url, { signal: stopping.signal, headers: headersFor(node.url) });
      // It may never be awaited.
      node.arrival.catch(() => undefined);
      filesStarted += 1;
      held += 1;
    }
  }

  async function* deliver({ url, level, isGuess }: Node, arrived: ArrivedSitemap): AsyncGenerator<WalkedSitemap, void> {
    const named: string[] = [];
    for await (const piece of arrived()) {
      if (signal.aborted) return;
      if (!piece.ok) {
        if (!isGuess || !isAbsent(piece)) notes.addUnread(String(piece.status ?? piece.message), url);
        return;
      }
      const { kind, entries } = piece;
      for (const warning of piece.warnings) notes.add(warning, url);
      if (kind === "urlset" || kind === "feed" || kind === "text") {
        readAhead();
        yield { url, kind, entries };
      } else if (kind === "index" && level <= maxLevel) {
        for (const entry of entries) named.push(entry.url);
      } else if (kind !== "index") {
        if (!isGuess) notes.addUnread(unusableKinds[kind], url);
      } else {
        notes.addUnread(`an index nested more than ${maxLevel} levels deep`, url);
        return;
      }
    }
    await enqueue(named, level + 1, isWanted);
  }

  async function* files(): AsyncGenerator<WalkedSitemap, void> {
    const stop = () => stopping.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await enqueue([...starts, ...guesses], 1, () => true);
      while (queue.length > 0 && !signal.aborted) {
        readAhead();
        const node = queue[0] as Node;
        const arrived = await node.arrival;
        if (arrived === null || signal.aborted) return;
        queue.shift();
        yield* deliver(node, arrived);
      }
    } finally {
      signal.removeEventListener("abort", stop);
      stopping.abort();
    }
  }

  return { files, warnings: notes.list };
}

function normalise(url: string): string {
  const address = parseUrl(url);
  return address ? withoutFragment(address.href) : url;
}

function isAbsent({ status = 0 }: SitemapFailure): boolean {
  return status >= 400 && status < 500;
}

interface Note {
  isUnread: boolean;
  text: string;
  count: number;
  examples: string[];
}

const maxNotes = 10;
const maxExamples = 3;
const maxExampleLength = 200;

/** The same thing said of several files is said once. */
function createNotes() {
  const notes = new Map<string, Note>();
  let more = 0;

  function note(isUnread: boolean, text: string, url: string | null): void {
    const key = `${isUnread} ${text}`;
    const known = notes.get(key) ?? { isUnread, text, count: 0, examples: [] };
    if (known.count === 0 && notes.size === maxNotes - 1) {
      more += 1;
      return;
    }
    notes.set(key, known);
    known.count += 1;
    if (url !== null && known.examples.length < maxExamples) known.examples.push(url.slice(0, maxExampleLength));
  }

  return {
    /** A sentence about one file, or about the walk. */
    add: (text: string, url: string | null = null) => note(false, text, url),
    addUnread: (reason: string, url: string) => note(true, reason, url),
    list(): string[] {
      const sentences = Array.from(notes.values(), writeNote);
      return more === 0 ? sentences : [...sentences, `${more} more warnings about sitemaps`];
    },
  };
}

function writeNote({ isUnread, text, count, examples }: Note): string {
  const number = `${count} ${count === 1 ? "sitemap" : "sitemaps"}`;
  if (examples.length === 0) return text;
  const sentence = isUnread ? `${number} could not be read (${text})` : count === 1 ? text : `${text} (${number})`;
  return `${sentence}: ${examples.join(", ")}${count > examples.length ? ", …" : ""}`;
}
