// Rules of hosts: where their pages keep the fields of a team's schema. Two ways of learning share them. An extractor is asked for
// (deterministicJson) and learned from the data of one page; pages that need it take turns, so that a language model is asked for the
// first of them only. A template is learned without asking from what several pages say, and written later, together with others.
import {
  type Clock,
  createDeadline,
  createSemaphore,
  dayMs,
  hourMs,
  type Lazy,
  minuteMs,
  newId,
  sha256,
} from "../../base/index.ts";
import type { ContentPool, ContentRequest } from "../../content/index.ts";
import type {
  Extractor,
  PageFinding,
  ReaderInput,
  SiteObservation,
  SiteRuleSet,
  SiteRulesUse,
} from "../../extraction/index.ts";
import { isBlocked } from "../../safety/index.ts";
import type { Store } from "../../store/index.ts";
import { plainPlan } from "../formats/plan-outputs.ts";

type SiteRulesKey = Parameters<Store["siteRules"]["find"]>[0];
type StoredSiteRules = NonNullable<Awaited<ReturnType<Store["siteRules"]["find"]>>>;

export interface SiteRulesRequest {
  kind: SiteRulesKey["kind"];
  teamId: string;
  /** Where the page was found; of a file that was sent, its name. */
  url: string;
  input: ReaderInput;
  /** Whether anything about the page may be kept. */
  mayLearn: boolean;
  /** How long to wait for the page that is learned from. */
  waitMs: number;
  signal: AbortSignal;
}

type Content = Awaited<ReturnType<ContentPool<ReaderInput, PageFinding>["read"]>>;
type ReadWith = (site?: SiteRulesUse) => Promise<Content>;

/** Must be ended, whatever becomes of the page. */
export interface LearningTurn {
  /** From the data that the page was found to have. Only its places are kept. */
  learn(asked: ContentRequest<ReaderInput>, data: unknown): Promise<void>;
  end(): void;
}

export interface RuledReading {
  result: Content;
  /** False where the model was asked often enough of late. */
  mayAskModel: boolean;
  /** Null when there is nothing to learn. */
  learning: LearningTurn | null;
}

interface Template {
  key: SiteRulesKey;
  rules: SiteRuleSet | null;
  /** Of the row; 0 without one. */
  version: number;
  usedAt: number;
  /** Read from the store again from then on, unless there is something to write. */
  freshUntil: number;
  isChanged: boolean;
  pages: number;
}

export interface SiteRulesDeps {
  store: Pick<Store, "siteRules">;
  clock: Clock;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: Lazy<Pick<Extractor, "withObservation">>;
}

export type SiteRulesReader = ReturnType<typeof createSiteRulesReader>;

/** Of a team and a kind; those that were used last stay. */
const mostRules = 1000;
/** Of an extractor, in an hour: pages unlike those that it was learned from are no reason to ask each time. */
const mostRepairs = 5;
/** Templates that are kept in memory. */
const mostTemplates = 2000;
/** What other processes learn is noticed after this long. */
const freshMs = minuteMs;
/** One page in so many is searched in full, and says whether the template is still right. */
const pagesPerCheck = 5;

export function createSiteRulesReader(deps: SiteRulesDeps) {
  const readByExtractor = createExtractorReader(deps);
  const templates = createTemplates(deps);
  return {
    /** Reads a page with the rules of its host. */
    async read(asked: SiteRulesRequest, readWith: ReadWith): Promise<RuledReading> {
      if (asked.kind === "extractor") return readByExtractor(asked, readWith);
      return { result: await templates.read(asked, readWith), mayAskModel: true, learning: null };
    },

    /** Writes what templates have learned, one write after the other. */
    flush: templates.flush,
  };
}

function createExtractorReader({ store, clock, content }: SiteRulesDeps) {
  const turns = createSemaphore({ placesPerKey: 1 });

  function isSettled(known: StoredSiteRules | null): boolean {
    return known !== null && known.tries >= mostRepairs && clock.now() - known.triedAt < hourMs;
  }

  async function noteTry(key: SiteRulesKey, { triedAt, tries }: StoredSiteRules): Promise<void> {
    const now = clock.now();
    const isNew = now - triedAt >= hourMs;
    await store.siteRules.markTried(key, isNew ? { triedAt: now, tries: 1 } : { triedAt, tries: tries + 1 });
  }

  async function keep(key: SiteRulesKey, learned: object, before: StoredSiteRules | null): Promise<void> {
    const rules = JSON.stringify(learned);
    const { values, lists } = learned as SiteRuleSet;
    if (values.length + lists.length === 0 || rules === before?.rules) return;
    const at = clock.now();
    await store.siteRules.put(key, { id: newId(at), rules, version: before?.version ?? 0, at, most: mostRules });
  }

  /** Null when it does not come in time: the page is then read without one. */
  async function takeTurn(key: SiteRulesKey, waitMs: number, signal: AbortSignal): Promise<(() => void) | null> {
    const limit = createDeadline(signal, waitMs);
    try {
      return await turns.acquire(limit.signal, JSON.stringify(key));
    } catch {
      signal.throwIfAborted();
      return null;
    } finally {
      limit.clear();
    }
  }

  const runWith = (readWith: ReadWith, known: StoredSiteRules | null) =>
    readWith(known ? { use: "run", rules: JSON.parse(known.rules) } : undefined);

  return async (asked: SiteRulesRequest, readWith: ReadWith): Promise<RuledReading> => {
    const { input, mayLearn, waitMs, signal, teamId } = asked;
    const key = keyOf(asked);
    const known = await store.siteRules.find(key);
    const first = await runWith(readWith, known);
    const plain = { result: first, mayAskModel: !isSettled(known), learning: null };
    if (known && findingOf(first)?.isRuled && clock.now() - known.usedAt > dayMs)
      await store.siteRules.markUsed(key, clock.now());
    if (!isUnfit(first) || !mayLearn || !plain.mayAskModel) return plain;
    const end = await takeTurn(key, waitMs, signal);
    if (!end) return plain;
    try {
      const latest = await store.siteRules.find(key);
      const isOther = latest !== null && (latest.id !== known?.id || latest.version !== known.version);
      const result = isOther ? await runWith(readWith, latest) : first;
      if (!isUnfit(result) || isSettled(latest)) {
        end();
        return { result, mayAskModel: !isSettled(latest), learning: null };
      }
      if (latest) await noteTry(key, latest);
      const learn: LearningTurn["learn"] = async (request, data) => {
        if (!isData(data)) return;
        const readerInput: ReaderInput = {
          ...input,
          site: { use: "learn", rules: latest && JSON.parse(latest.rules), data },
        };
        const { formats } = plainPlan({});
        const read = await content.read({ ...request, formats, forSearch: false, readerInput }, teamId, signal);
        const learned = findingOf(read)?.learned;
        if (learned) await keep(key, learned, latest);
      };
      return { result, mayAskModel: true, learning: { learn, end } };
    } catch (error) {
      end();
      throw error;
    }
  };
}

function createTemplates({ store, clock, extraction }: SiteRulesDeps) {
  const known = new Map<string, Promise<Template>>();
  const changed = new Set<Template>();
  let writing: Promise<void> = Promise.resolve();

  async function load(key: SiteRulesKey): Promise<Template> {
    const row = await store.siteRules.find(key);
    const rules = row ? (JSON.parse(row.rules) as SiteRuleSet) : null;
    const times = { usedAt: row?.usedAt ?? 0, freshUntil: clock.now() + freshMs };
    return { key, rules, version: row?.version ?? 0, ...times, isChanged: false, pages: 0 };
  }

  async function find(key: SiteRulesKey): Promise<Template> {
    const name = JSON.stringify(key);
    const before = await known.get(name)?.catch(() => null);
    if (before && (before.isChanged || before.freshUntil > clock.now())) return before;
    const loading = load(key);
    known.delete(name);
    known.set(name, loading);
    const [oldest] = known.keys();
    if (known.size > mostTemplates && oldest !== undefined) known.delete(oldest);
    return loading;
  }

  function change(one: Template): void {
    one.isChanged = true;
    changed.add(one);
  }

  async function learn(one: Template, observation: SiteObservation): Promise<void> {
    const { withObservation } = await extraction.open();
    const next = withObservation(one.rules, observation);
    if (next === one.rules || (one.rules === null && observation.values.length === 0)) return;
    one.rules = next;
    change(one);
  }

  async function write(): Promise<void> {
    for (const one of [...changed]) {
      changed.delete(one);
      const { key, version, rules } = one;
      const at = clock.now();
      try {
        const row = { id: newId(at), rules: JSON.stringify(rules), version, at, most: mostRules };
        const isWritten = await store.siteRules.put(key, row);
        if (isWritten) Object.assign(one, { version: version + 1, usedAt: at });
        else known.delete(JSON.stringify(key));
        // What came while it was written waits for the next time.
        one.isChanged = changed.has(one);
      } catch (error) {
        changed.add(one);
        throw error;
      }
    }
  }

  return {
    async read(asked: SiteRulesRequest, readWith: ReadWith): Promise<Content> {
      const { mayLearn } = asked;
      const one = await find(keyOf(asked));
      one.pages += 1;
      const mayCut = one.pages % pagesPerCheck !== 0;
      const result = await readWith({ use: "observe", rules: one.rules, mayCut, mayLearn });
      const observation = takeObservation(result);
      if (!mayLearn) return result;
      if (observation) await learn(one, observation);
      if (one.version > 0 && clock.now() - one.usedAt > dayMs) change(one);
      return result;
    },

    flush(): Promise<void> {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}

function keyOf({ kind, teamId, url, input: { schema, prompt } }: SiteRulesRequest): SiteRulesKey {
  const { protocol, host, pathname } = new URL(url);
  // Files that a caller sends have no host; those with the same extension are likely to be made in the same way.
  const ending = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1] ?? "";
  // Without a model a prompt says nothing about the fields of a schema.
  const form = sha256(JSON.stringify(kind === "extractor" ? [schema, prompt] : schema));
  return { teamId, host: protocol === "file:" ? `file:${ending.toLowerCase()}` : host, kind, form };
}

function findingOf(result: Content): PageFinding | null {
  return "found" in result ? (result.found ?? null) : null;
}

/** Whether a page was read, and no extractor fits it. */
function isUnfit(result: Content): boolean {
  const finding = findingOf(result);
  return finding !== null && !finding.isRuled && "verdict" in result && !isBlocked(result.verdict.state);
}

/** Not part of what was found. Nothing is learned from a block page. */
function takeObservation(result: Content): SiteObservation | null {
  if (!("found" in result) || !result.found) return null;
  const { observation, ...finding } = result.found;
  result.found = finding;
  return observation && !isBlocked(result.verdict.state) ? (observation as SiteObservation) : null;
}

function isData(data: unknown): boolean {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0;
}
