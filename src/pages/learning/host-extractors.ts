// Extractors of hosts: found before a page is read, learned from its data where none fits. Pages of a host that teach an extractor
// take turns, so that a language model is asked for the first of them and not for all that are read together.
import { type Clock, createDeadline, createSemaphore, dayMs, hourMs, newId, sha256 } from "../../base/index.ts";
import type { ContentPool, ContentRequest } from "../../content/index.ts";
import type { PageFinding, ReaderInput } from "../../extraction/index.ts";
import { isBlocked } from "../../safety/index.ts";
import type { Store } from "../../store/index.ts";
import { plainPlan } from "../formats/plan-outputs.ts";

export interface ExtractorRequest {
  teamId: string;
  /** Where the page was found; of a file that was sent, its name. */
  url: string;
  input: ReaderInput;
  /** Whether anything about the page may be kept. */
  mayLearn: boolean;
  /** How long to wait for the page that teaches it. */
  waitMs: number;
  signal: AbortSignal;
}

type Content = Awaited<ReturnType<ContentPool<ReaderInput, PageFinding>["read"]>>;
type ReadWith = (rules: unknown) => Promise<Content>;

/** Must be ended, whatever becomes of the page. */
export interface LearningTurn {
  /** From the data that the page was found to have. Only the places of the data are kept. */
  learn(asked: ContentRequest<ReaderInput>, data: unknown): Promise<void>;
  end(): void;
}

export interface ExtractorReading {
  result: Content;
  /** False where the model was asked often enough of late. */
  mayAskModel: boolean;
  /** Null when there is nothing to learn. */
  learning: LearningTurn | null;
}

export type HostExtractors = ReturnType<typeof createHostExtractors>;

export interface HostExtractorDeps {
  store: Pick<Store, "extractors">;
  clock: Clock;
  content: ContentPool<ReaderInput, PageFinding>;
}

/** Of a team; those that were used last stay. */
const mostExtractors = 1000;
/** Of an extractor, in an hour: pages that differ from those that taught it are no reason to ask each time. */
const mostRepairs = 5;

export function createHostExtractors({ store, clock, content }: HostExtractorDeps) {
  const turns = createSemaphore({ placesPerKey: 1 });

  async function find(key: Key) {
    const row = await store.extractors.find(key);
    return row ? { ...row, rules: JSON.parse(row.rules) as unknown } : null;
  }
  type Known = Awaited<ReturnType<typeof find>>;

  function isSettled(known: Known): boolean {
    return known !== null && known.tries >= mostRepairs && clock.now() - known.triedAt < hourMs;
  }

  async function noteTry(key: Key, { triedAt, tries }: NonNullable<Known>): Promise<void> {
    const now = clock.now();
    const isNew = now - triedAt >= hourMs;
    await store.extractors.markTried(key, isNew ? { triedAt: now, tries: 1 } : { triedAt, tries: tries + 1 });
  }

  async function keep(key: Key, learned: object, before: unknown): Promise<void> {
    const rules = JSON.stringify(learned);
    const { values, lists } = learned as Record<"values" | "lists", unknown[]>;
    if (values.length + lists.length === 0 || rules === JSON.stringify(before)) return;
    const at = clock.now();
    await store.extractors.put(key, { id: newId(at), rules, at, most: mostExtractors });
  }

  /** Null when it does not come in time: the page is then read without one. */
  async function takeTurn(key: Key, waitMs: number, signal: AbortSignal): Promise<(() => void) | null> {
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

  return {
    /** Reads a page with the extractor of its host, and says what is to be learned from it. */
    async read(asked: ExtractorRequest, readWith: ReadWith): Promise<ExtractorReading> {
      const { input, mayLearn, waitMs, signal } = asked;
      const key = keyOf(asked);
      const known = await find(key);
      const first = await readWith(known?.rules);
      const plain = { result: first, mayAskModel: !isSettled(known), learning: null };
      if (known && isRuled(first) && clock.now() - known.usedAt > dayMs)
        await store.extractors.markUsed(key, clock.now());
      if (!isUnfit(first) || !mayLearn || !plain.mayAskModel) return plain;
      const end = await takeTurn(key, waitMs, signal);
      if (!end) return plain;
      try {
        const latest = await find(key);
        const isOther = latest !== null && (latest.id !== known?.id || latest.version !== known.version);
        const result = isOther ? await readWith(latest.rules) : first;
        if (!isUnfit(result) || isSettled(latest)) {
          end();
          return { result, mayAskModel: !isSettled(latest), learning: null };
        }
        if (latest) await noteTry(key, latest);
        const before = latest?.rules;
        const learn: LearningTurn["learn"] = async (request, data) => {
          if (!isData(data)) return;
          const readerInput = { ...input, rules: before, learn: data };
          const { formats } = plainPlan({});
          const read = await content.read({ ...request, formats, forSearch: false, readerInput }, asked.teamId, signal);
          const learned = "found" in read ? read.found?.learned : undefined;
          if (learned) await keep(key, learned, before);
        };
        return { result, mayAskModel: true, learning: { learn, end } };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

interface Key {
  teamId: string;
  host: string;
  form: string;
}

function keyOf({ teamId, url, input: { schema, prompt } }: ExtractorRequest): Key {
  const { protocol, host, pathname } = new URL(url);
  // Files that a caller sends have no host; those of a kind are likely to be made in the same way.
  const ending = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1] ?? "";
  const form = sha256(JSON.stringify([schema, prompt]));
  return { teamId, host: protocol === "file:" ? `file:${ending.toLowerCase()}` : host, form };
}

function findingOf(result: Content): PageFinding | null {
  return "found" in result ? (result.found ?? null) : null;
}

function isRuled(result: Content): boolean {
  return findingOf(result)?.isRuled === true;
}

/** Whether a page was read, and no extractor fits it. */
function isUnfit(result: Content): boolean {
  const finding = findingOf(result);
  return finding !== null && !finding.isRuled && "verdict" in result && !isBlocked(result.verdict.state);
}

function isData(data: unknown): boolean {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0;
}
