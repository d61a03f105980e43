// Templates of hosts: what pages taught about where a host keeps the fields of a team's schema. A page is read with what is
// remembered here, and what it teaches is written later, together with that of other pages.
import { type Clock, dayMs, hrefHost, minuteMs, sha256 } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type {
  PageFinding,
  ReaderInput,
  SiteTemplate,
  TemplateObservation,
  TemplateUse,
} from "../../extraction/index.ts";
import { isBlocked } from "../../safety/index.ts";
import type { Store } from "../../store/index.ts";
import type { LazyExtraction } from "../data/lazy-extraction.ts";

export interface TemplateRequest {
  teamId: string;
  /** Where the page was found. */
  url: string;
  schema: object;
  /** Whether anything about the page may be kept. */
  mayLearn: boolean;
}

type Content = Awaited<ReturnType<ContentPool<ReaderInput, PageFinding>["read"]>>;
type ReadWith = (more: { template?: TemplateUse }) => Promise<Content>;

interface Known {
  key: { teamId: string; host: string; form: string };
  template: SiteTemplate | null;
  /** Of the row; 0 without one. */
  version: number;
  usedAt: number;
  /** Read from the store again from then on, unless there is something to write. */
  freshUntil: number;
  isChanged: boolean;
  pages: number;
}

export interface SiteTemplateDeps {
  store: Pick<Store, "siteTemplates">;
  clock: Clock;
  extraction: Pick<LazyExtraction, "open">;
}

export type SiteTemplates = ReturnType<typeof createSiteTemplates>;

/** Of a team. */
const mostTemplates = 1000;
/** That are remembered here. */
const mostKnown = 2000;
/** What other processes learn is noticed after this long. */
const freshMs = minuteMs;
/** One page in so many is searched in full, and says whether the template is still right. */
const pagesPerCheck = 5;

export function createSiteTemplates({ store, clock, extraction }: SiteTemplateDeps) {
  const known = new Map<string, Promise<Known>>();
  const changed = new Set<Known>();
  let writing: Promise<void> = Promise.resolve();

  async function load(key: Known["key"]): Promise<Known> {
    const row = await store.siteTemplates.find(key);
    const template = row ? (JSON.parse(row.template) as SiteTemplate) : null;
    const times = { usedAt: row?.usedAt ?? 0, freshUntil: clock.now() + freshMs };
    return { key, template, version: row?.version ?? 0, ...times, isChanged: false, pages: 0 };
  }

  async function find(key: Known["key"]): Promise<Known> {
    const name = JSON.stringify(key);
    const before = await known.get(name)?.catch(() => null);
    if (before && (before.isChanged || before.freshUntil > clock.now())) return before;
    const loading = load(key);
    known.delete(name);
    known.set(name, loading);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return loading;
  }

  function change(one: Known): void {
    one.isChanged = true;
    changed.add(one);
  }

  async function learn(one: Known, observation: TemplateObservation): Promise<void> {
    const { room } = await extraction.open();
    const next = room.withObservation(one.template, observation);
    if (next === one.template || (one.template === null && next.fields.length === 0)) return;
    one.template = next;
    change(one);
  }

  async function write(): Promise<void> {
    for (const one of [...changed]) {
      changed.delete(one);
      const { key, version, template } = one;
      const at = clock.now();
      try {
        const row = { template: JSON.stringify(template), version, at, most: mostTemplates };
        const isWritten = await store.siteTemplates.put(key, row);
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
    /** Reads a page with what is known of its host, and learns from it. */
    async read({ teamId, url, schema, mayLearn }: TemplateRequest, readWith: ReadWith): Promise<Content> {
      const form = sha256(JSON.stringify(schema));
      const one = await find({ teamId, host: hrefHost(url), form });
      one.pages += 1;
      const mayCut = one.pages % pagesPerCheck !== 0;
      const result = await readWith({ template: { template: one.template, mayCut, mayLearn } });
      const observation = takeObservation(result);
      if (!mayLearn) return result;
      if (observation) await learn(one, observation);
      if (one.version > 0 && clock.now() - one.usedAt > dayMs) change(one);
      return result;
    },

    /** Writes what was learned, one write after the other. */
    flush(): Promise<void> {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}

/** Takes the observation out of what was found. A block page teaches nothing. */
function takeObservation(result: Content): TemplateObservation | null {
  if (!("found" in result) || !result.found) return null;
  const { observation, ...finding } = result.found;
  result.found = finding;
  return observation && !isBlocked(result.verdict.state) ? (observation as TemplateObservation) : null;
}
