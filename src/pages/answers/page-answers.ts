// Outputs made from a finished page: cleans its markdown, finds data, and runs the modules of the formats. The page's own words
// come first; a language model, if configured, fills in the rest.

import { createLazy, type Lazy, type Trace } from "../../base/index.ts";
import type { TextPlace } from "../../content/index.ts";
import type { Document, Format } from "../../contract/index.ts";
import type { Extractor, FilledByModel, PageFinding } from "../../extraction/index.ts";
import type { Asker, LanguageModel, OpenUse } from "../../llm/index.ts";
import { modelText } from "../../text/index.ts";
import { asksOnce, fieldOf, makeFormat, makeOrder, wantedData } from "../formats/formats.ts";
import type { Made, MakeContext } from "../formats/page-format.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { withoutBoilerplate } from "./clean-text.ts";
import { type FoundNames, findNames } from "./find-names.ts";
import { type InjectionJudgement, judgeInjection } from "./judge-injection.ts";

export type PageAnswers = ReturnType<typeof createPageAnswers>;

/** A page that was read, for whom, and which outputs to make. */
export interface AnswerRequest {
  document: Document;
  finding: PageFinding | null;
  /** Of a file that has pages: where each part of its markdown is. */
  places: readonly TextPlace[] | null;
  plan: OutputPlan;
  /** The model was asked about this host's data lately. */
  isSettled?: boolean;
  asker: Asker;
  trace: Trace;
}

export interface AnsweredPage {
  document: Document;
  /** The markdown before cleaning: a model's cleaning differs from run to run. */
  foundText: string;
  /** The data whose changes are tracked; null without any. */
  tracked: unknown;
  /** False when the model could not be used: a later request may get better outputs. */
  isFinal: boolean;
}

const lockedWarning = "With lockdown, the outputs were made without the language model.";
const nothing: Made = { outputs: {} };

export function createPageAnswers(extraction: Lazy<Extractor>, model: LanguageModel | null) {
  /** Null where no model may be used. */
  function modelFor({ plan, asker }: AnswerRequest): OpenUse {
    if (!model || plan.model === null || plan.isLocked) return null;
    return createLazy(() => model.open(asker)).open;
  }

  /** Null when no data were asked for, or when finding them takes too long. */
  async function findData(request: AnswerRequest, text: string, open: OpenUse): Promise<FilledByModel | null> {
    const { document, finding, places, plan, isSettled, trace } = request;
    if (!plan.reader) return null;
    const placed = places ? { text: document.markdown ?? "", places } : undefined;
    const pages = [{ url: urlOf(document), finding, text, placed }];
    const { fillData } = await extraction.open();
    return fillData({ ...plan.reader, pages }, finding?.isRuled || isSettled ? null : open, trace);
  }

  return {
    /** Whether a page's text attacks models, as the model judges; null without a model. */
    async judge(page: { url: string; text: string }, asker: Asker, trace: Trace): Promise<InjectionJudgement | null> {
      return model && judgeInjection(await model.open(asker), { ...page, text: modelText(page.text).text }, trace);
    },

    /** The names of persons in a page's text; null: there is no model to ask. */
    async names(page: { url: string; text: string }, asker: Asker, trace: Trace): Promise<FoundNames | null> {
      return model && findNames(await model.open(asker), page, trace);
    },

    /** The document with the outputs of the plan. */
    async add(request: AnswerRequest): Promise<AnsweredPage> {
      const { document, finding, plan, trace } = request;
      const open = modelFor(request);
      const cleaned = await cleanText(request, open);
      const markdown = cleaned.outputs.markdown ?? document.markdown ?? "";
      const { text, warnings: cut } = open ? modelText(markdown) : { text: markdown, warnings: [] };
      const data = await findData(request, text, open);
      const page = { url: urlOf(document), document, markdown, text, data, things: finding?.things ?? {} };
      const context: MakeContext = { ...page, open, isLocked: isLocked(plan), extraction, trace };
      const parts = [cleaned, notesOnData(plan, data), ...(await makeAll(plan.answers, context))];
      return {
        document: assemble(request, parts, cut),
        foundText: document.markdown ?? "",
        tracked: plan.tracked && data ? data.data : null,
        isFinal: !isLocked(plan) && parts.every(({ isFinal = true }) => isFinal),
      };
    },
  };
}

async function cleanText({ document, plan, trace }: AnswerRequest, open: OpenUse): Promise<Made> {
  const text = document.markdown ?? "";
  if (!plan.isCleaned || !open || text.trim() === "") return nothing;
  const cleaned = await withoutBoilerplate(await open(), { url: urlOf(document), text }, trace);
  return { outputs: { markdown: cleaned.text }, warnings: cleaned.warnings, isFinal: cleaned.failure === null };
}

/** In their order; those of one order that take a question each are asked side by side. */
async function makeAll(formats: readonly Format[], context: MakeContext): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < formats.length) {
    const [first, ...others] = formats.slice(made.length) as [Format, ...Format[]];
    const beside = asksOnce(first) ? others.filter((other) => makeOrder(other) === makeOrder(first)) : [];
    const make = (format: Format) => makeFormat(format, context);
    const use = beside.length > 0 && context.open ? await context.open() : null;
    made.push(...(use ? await use.inTurns([first, ...beside], make) : [await make(first)]));
  }
  return made;
}

/** What to tell about data that an output shows or whose changes are followed. */
function notesOnData({ answers, tracked, reader }: OutputPlan, data: FilledByModel | null): Made {
  if (!reader) return nothing;
  const shown = answers.find((format) => wantedData(format) !== null);
  if (!data) {
    const what = shown ? `The output ${fieldOf(shown)}` : "Finding the data of changeTracking";
    return { outputs: {}, warnings: [`${what} took too long on this page and was left out.`], isFinal: false };
  }
  const warnings = (shown || tracked) && data.warning ? [data.warning] : [];
  return { outputs: {}, warnings, isFinal: data.failure === null };
}

function assemble({ document, plan }: AnswerRequest, parts: readonly Made[], cut: readonly string[]): Document {
  const { markdown, ...rest } = Object.assign({}, document, ...parts.map(({ outputs }) => outputs)) as Document;
  const locked = isLocked(plan) ? [lockedWarning] : [];
  const said = new Set([...locked, ...cut, ...parts.flatMap(({ warnings = [] }) => warnings)]);
  const warnings = [...(document.warning === undefined ? [] : [document.warning]), ...said];
  return {
    ...rest,
    ...(plan.hidesMarkdown || markdown === undefined ? {} : { markdown }),
    ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
  };
}

/** Whether the outputs would use a model if one were allowed. */
function isLocked(plan: OutputPlan): boolean {
  return plan.model !== null && plan.isLocked;
}

function urlOf({ metadata }: Document): string {
  return metadata.url ?? "";
}
