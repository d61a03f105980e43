// The pages of an extract or agent: read like those of any other job, with a record of what was found on each in the place of
// its document.
import { bareUrl, type Clock, createDeadline, createTrace, type Trace, withoutFragment } from "../../base/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { ObtainedPage } from "../../pages/index.ts";
import { modelText } from "../../text/index.ts";
import type { ExtractionSettings } from "../engine/job-settings.ts";
import type { NewTask, TaskOf } from "../engine/task.ts";
import { ownUrls } from "../pages/own-urls.ts";
import { originKey, urlKey } from "../pages/task-keys.ts";
import type { PageEnding, TaskPages } from "../pages/task-page.ts";
import type { ReadRecord } from "./records.ts";
import { type ExtractionContext, type ExtractionStep, foundDepth, isOver, timeIsUp, timeLeft } from "./step.ts";

export interface ExtractionPageDeps {
  clock: Clock;
  pages: TaskPages;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export interface RecordedPage {
  page: ObtainedPage;
  record: ReadRecord;
}

type PageStep = ExtractionStep<"page">;

const longestTitle = 500;

export function createExtractionPages({ clock, pages, model }: ExtractionPageDeps) {
  /** A page with what was found on it, or the ending of one that cannot be read. */
  async function read(
    step: PageStep,
    outlinks: boolean,
    mayFollow?: (url: string) => Promise<boolean>,
  ): Promise<PageEnding | RecordedPage> {
    const { task, wanted, signal: jobSignal } = step;
    const pausedUntil = pages.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    if (isOver(wanted, clock.now())) return { kind: "nothing", found: [], refused: [], warning: timeIsUp };
    const trace = createTrace();
    const { signal, clear } = createDeadline(jobSignal, timeLeft(wanted, clock.now()));
    try {
      const context = withCredentials(step.context, task);
      const sendsHeaders = await isOwn(wanted, task.url);
      const robots = task.depth >= foundDepth ? "found" : "named";
      const page = await pages.read({ task, context, outlinks, sendsHeaders, robots, mayFollow, signal, trace });
      return page.ok ? { page, record: recordOf(step, page, trace) } : withBlockNamed(page.ending, task.url);
    } finally {
      clear();
    }
  }

  function recordOf({ task, wanted }: PageStep, { reading, credits }: ObtainedPage, trace: Trace): ReadRecord {
    const { url = task.url, statusCode = 200, title = "", pageState } = reading.document.metadata;
    const isParked = pageState === "parked";
    const isFailure = statusCode >= 400 || isParked;
    const isUnread = model === null && wanted.keepsText !== true;
    const readable = isUnread || isFailure ? null : modelText(reading.document.markdown ?? "");
    const why = isParked ? "is a parked domain" : `answered ${statusCode}`;
    const warnings = isFailure ? [`${url} ${why} and was not used.`] : (readable?.warnings ?? []);
    return {
      kind: "page",
      url: withoutFragment(url),
      sourceUrl: bareUrl(task.url),
      ...(title === "" ? {} : { title: title.slice(0, longestTitle) }),
      at: clock.now(),
      credits,
      finding: isFailure ? null : reading.findings.finding,
      ...(readable ? { text: readable.text } : {}),
      ...(readable && reading.findings.places ? { places: reading.findings.places } : {}),
      steps: wanted.trace ? trace.steps.map((each) => ({ url: task.url, ...each })) : [],
      ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
    };
  }

  return {
    read,

    /** The page's end: it is charged and kept like that of any other job. */
    async end(
      { context }: PageStep,
      { page, record }: RecordedPage,
      found: NewTask[],
      endKey = urlKey(record.url),
    ): Promise<PageEnding> {
      const bytes = Buffer.from(JSON.stringify(record));
      const ending = await pages.end(context, { page, endKey, findings: { found, refused: [] }, bytes });
      const { warning } = record;
      return warning !== undefined && "found" in ending ? { ...ending, warning } : ending;
    },
  };
}

/** An answer without a site that blocks this server says so. */
function withBlockNamed(ending: PageEnding, url: string): PageEnding {
  if (ending.kind !== "failed" || ending.code !== "SCRAPE_SITE_BLOCKED") return ending;
  return { ...ending, warning: `${bareUrl(url)} blocks this server and was not used.` };
}

/** Headers may hold secrets: only the sites that the caller named get them. */
async function isOwn({ urls }: ExtractionSettings, url: string): Promise<boolean> {
  for (const named of urls) if ((await ownUrls(named))(url)) return true;
  return false;
}

/** Pages that a pattern stands for are read with the credentials of its URL. */
function withCredentials(context: ExtractionContext, { key, url, depth }: TaskOf<"page">): ExtractionContext {
  const { settings } = context;
  const authorization = depth < foundDepth ? undefined : settings.credentials[originKey(url)];
  if (authorization === undefined) return context;
  return { ...context, settings: { ...settings, credentials: { [key]: authorization } } };
}
