import type { ContentPool, ContentRequest, PageContent } from "../../content/index.ts";
import { keepsNothing } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import type { PageFinding, ReaderInput, SiteRulesUse } from "../../extraction/index.ts";
import type { PageVerdict } from "../../safety/index.ts";
import { isPersonal } from "../cache/copy-use.ts";
import { type ContentOptions, contentFailures, contentOptions, contentRequest } from "../document/page-document.ts";
import { plainPlan } from "../formats/plan-outputs.ts";
import type { HostTexts } from "../learning/host-texts.ts";
import type { LearningTurn, RuledReading, SiteRulesReader } from "../learning/site-rules.ts";
import type { ReadRequest } from "../record/page-reading.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Identified } from "./identify-page.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { DocumentOpened } from "./read-document.ts";

export interface Parsed {
  /** Null where the bytes are wanted as they are. */
  content: ParsedContent | null;
  /** Whether this is the page that was asked for; undefined where only its status is known. */
  verdict: PageVerdict | undefined;
  /** The turn of this page to teach an extractor; it must be ended. */
  learning: LearningTurn | null;
}

export interface ParsedContent {
  result: PageContent<PageFinding>;
  /** What makes the content again from the page's bytes. */
  asked: ContentOptions;
  forContent: ContentRequest<ReaderInput>;
  /** False where the model was asked about this host's data often enough of late. */
  mayAskModel: boolean;
}

export interface ParseStageDeps {
  content: ContentPool<ReaderInput, PageFinding>;
  siteRules: Pick<SiteRulesReader, "read">;
  hostTexts: HostTexts;
}

const unreadable = "It has no text that can be read here; the format rawBase64 returns its bytes.";

/** Has the content room parse the page once and make from it what was asked for. */
export function createParseStage({ content: pool, siteRules, hostTexts }: ParseStageDeps) {
  return (entered: EnteredPage & Identified & DocumentOpened): StageResult<Parsed> | Promise<StageResult<Parsed>> => {
    if (entered.kind === "unread") return unparsed;
    return entered.kind === "bytes" ? judgeBytes(entered) : parse(entered);
  };

  /** Of bytes that are wanted as they are only the verdict counts, if they are text. */
  async function judgeBytes({ page, request, signal }: EnteredPage): Promise<Parsed> {
    if (!/^\s*(?:$|text\/|application\/xhtml\+xml)/i.test(page.contentType)) return unparsed;
    const result = await pool.read(contentRequest(page, verdictOnly, page.body), request.teamId, signal);
    // Whoever wants the bytes wants those of a shell, too.
    const isTold = "verdict" in result && result.verdict.state !== "empty_shell";
    return isTold ? { ...unparsed, verdict: result.verdict } : unparsed;
  }

  async function parse(entered: EnteredPage & Identified & DocumentOpened): Promise<StageResult<Parsed>> {
    const { page, request, file, opened, source, wantsBetter } = entered;
    const asked = contentOptions(request.options, request.plan);
    const forContent = makeRequest(opened?.page ?? page, asked, request);
    if (file) forContent.file = file.request;
    if (wantsBetter) forContent.refusesShell = true;
    if (source === "upload") delete forContent.response;
    const { teamId } = request;
    const { finalUrl } = page;
    if (source === "page" && knowsHost(request)) forContent.repeated = hostTexts.repeatedOn(teamId, finalUrl);
    const { result, mayAskModel, learning } = await readWithRules(forContent, entered);
    if ("verdict" in result && result.textNumbers && result.verdict.state === "content")
      hostTexts.note(teamId, finalUrl, result.textNumbers);
    if ("verdict" in result)
      return { content: { result, asked, forContent, mayAskModel }, verdict: result.verdict, learning };
    learning?.end();
    if ("failure" in result) return contentFailures[result.failure];
    return { ok: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message: `${result.reason}. ${unreadable}` };
  }

  /** With the rules of its host, where a schema is to be filled. */
  async function readWithRules(
    forContent: ContentRequest<ReaderInput>,
    { page: { finalUrl, status }, request, signal, endsAt, trace }: EnteredPage,
  ): Promise<RuledReading> {
    const { teamId, plan, options } = request;
    const { readerInput } = forContent;
    const readWith = (site?: SiteRulesUse) => {
      const asked = readerInput && site ? { ...forContent, readerInput: { ...readerInput, site } } : forContent;
      return trace.run("content", () => pool.read(asked, teamId, signal), describeContent);
    };
    const isExtractor = Boolean(plan.usesExtractor && plan.reader);
    const isObserved = plan.model === null && !forContent.file && Boolean(readerInput?.schema);
    const input = isExtractor ? plan.reader : readerInput;
    if (!input || !(isExtractor || isObserved)) return { result: await readWith(), mayAskModel: true, learning: null };
    // Words around a value are part of the rules, and may be a person's name.
    const mayLearn = status < 400 && !keepsNothing(options) && options.redactPII === false;
    const waitMs = Math.max(0, endsAt - performance.now()) / 2;
    const kind = isExtractor ? "extractor" : "template";
    return siteRules.read({ kind, teamId, url: finalUrl, input, mayLearn, waitMs, signal }, readWith);
  }
}

/** Several pages of its host are read. Changes are looked for in what a page shows, whatever others show. */
function knowsHost({ isJob, options }: ReadRequest): boolean {
  const tracksChanges = options.formats.some(({ type }) => type === "changeTracking");
  return isJob === true && options.onlyMainContent && !tracksChanges && !keepsNothing(options);
}

const unparsed: Parsed = { content: null, verdict: undefined, learning: null };

const verdictOnly: ContentOptions = {
  formats: plainPlan({}).formats,
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: false,
};

function makeRequest(page: Page, asked: ContentOptions, request: ReadRequest): ContentRequest<ReaderInput> {
  const { url, options, plan } = request;
  const forContent: ContentRequest<ReaderInput> = contentRequest(page, asked, page.body);
  forContent.forSearch =
    request.forSearch === true && page.status < 400 && !isPersonal(url, options) && options.redactPII === false;
  forContent.explain = options.trace && options.redactPII === false;
  const { reader, things } = plan;
  if (things.length > 0) {
    const data = reader ?? { schema: null, prompt: null, onlyThings: true };
    forContent.readerInput = { ...data, things };
  } else if (reader) forContent.readerInput = reader;
  return forContent;
}

function describeContent(found: RuledReading["result"]) {
  if (!("verdict" in found)) return { outcome: "failure" in found ? found.failure : "unsupported" };
  const { verdict, verdicts, textFrom } = found;
  const detail = { verdict, ...(textFrom ? { textFrom } : {}), ...(verdicts ? { blocks: verdicts } : {}) };
  return { outcome: "read", detail };
}
