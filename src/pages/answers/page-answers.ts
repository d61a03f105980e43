// Outputs made from a page's data and text: json, summary, answer, highlights, clean markdown, and the data whose changes
// are followed. The page's own words come first; a language model, if configured, fills in the rest.

import type { Trace } from "../../base/index.ts";
import type { TextPlace } from "../../content/index.ts";
import type { Document } from "../../contract/index.ts";
import type { PageFinding, PassageAnswer, TextPassage } from "../../extraction/index.ts";
import { createDataFiller, type FilledByModel, type OpenUse } from "../data/data-filler.ts";
import type { LazyExtraction } from "../data/lazy-extraction.ts";
import type { AnswerPlan } from "../formats/format-row.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { type Asker, type LanguageModel, modelText } from "../model/language-model.ts";
import { modelWarning } from "../model/model-failure.ts";
import { withoutBoilerplate } from "./clean-text.ts";
import { type FoundNames, findNames } from "./find-names.ts";
import { type InjectionJudgement, judgeInjection } from "./judge-injection.ts";
import { askAboutText, type TextPlan, withinTokens } from "./page-questions.ts";
import { makeThings } from "./page-things.ts";

export type PageAnswers = ReturnType<typeof createPageAnswers>;

/** A page that was read, for whom, and which outputs to make. */
export interface AnswerRequest {
  document: Document;
  finding: PageFinding | null;
  /** Of a file that has pages: where its markdown stands. */
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
  /** The data whose changes are followed; null when there are none. */
  tracked: unknown;
  /** False when the model could not be used: a later request may get better outputs. */
  isFinal: boolean;
}

/** Outputs of one kind, and their warnings. */
interface Made {
  outputs: Partial<Document>;
  warnings: string[];
  isFinal: boolean;
}

const lockedWarning = "With lockdown the language model is not used: the outputs were made without it.";
const tooLong = "took too long on this page and was left out.";

export function createPageAnswers(extraction: LazyExtraction, model: LanguageModel | null) {
  const fillData = createDataFiller(extraction);

  function asUse({ plan, asker }: AnswerRequest): OpenUse {
    if (!model || plan.model === null || plan.isLocked) return null;
    let opened: ReturnType<LanguageModel["open"]> | null = null;
    return () => {
      opened ??= model.open(asker);
      return opened;
    };
  }

  async function clean(request: AnswerRequest, open: OpenUse): Promise<Made> {
    const { document, plan, trace } = request;
    const text = document.markdown ?? "";
    if (!plan.isCleaned || !open || text.trim() === "") return { outputs: {}, warnings: [], isFinal: true };
    const cleaned = await withoutBoilerplate(await open(), { url: urlOf(document), text }, trace);
    return { outputs: { markdown: cleaned.text }, warnings: cleaned.warnings, isFinal: cleaned.failure === null };
  }

  /** Null when nothing of the kind was asked for, or when it takes too long. */
  async function findData(request: AnswerRequest, text: string, open: OpenUse): Promise<FilledByModel | null> {
    const { document, finding, places, plan, trace } = request;
    if (!plan.reader) return null;
    const placed = places ? { text: document.markdown ?? "", places } : undefined;
    const pages = [{ url: urlOf(document), finding, text, placed }];
    return fillData({ ...plan.reader, pages }, finding?.isRuled || request.isSettled ? null : open, trace);
  }

  function showData({ answers, tracked, reader }: OutputPlan, filled: FilledByModel | null): Made {
    if (!reader) return { outputs: {}, warnings: [], isFinal: true };
    const json = answers?.json ?? answers?.deterministic ?? null;
    if (!filled) {
      const what = json ? "The output json" : "Finding the data of changeTracking";
      return { outputs: {}, warnings: [`${what} ${tooLong}`], isFinal: false };
    }
    const outputs = json
      ? { json: filled.data, ...("evidence" in json && json.evidence ? { evidence: filled.evidence } : {}) }
      : {};
    const isShown = json !== null || tracked !== null;
    return { outputs, warnings: isShown && filled.warning ? [filled.warning] : [], isFinal: filled.failure === null };
  }

  async function makeTexts(request: AnswerRequest, text: string, open: OpenUse): Promise<Made> {
    const { document, plan, trace } = request;
    if (!plan.answers || !wantsText(plan.answers)) return { outputs: {}, warnings: [], isFinal: true };
    const told =
      open && text.trim() !== ""
        ? await askAboutText(await open(), plan.answers, { url: urlOf(document), text }, trace)
        : null;
    const left = told?.left ?? plan.answers;
    const own = wantsText(left) ? await readText(left, text) : null;
    const why = told?.failure
      ? modelWarning(told.failure, "What it was asked for is text of the page, chosen by its words.")
      : isLocked(plan)
        ? undefined
        : own?.warning;
    return {
      outputs: { ...own?.outputs, ...told?.outputs },
      warnings: [...(told?.warnings ?? []), ...(own && why ? [why] : [])],
      isFinal: !told?.failure,
    };
  }

  async function readText(plan: TextPlan, markdown: string): Promise<{ outputs: Partial<Document>; warning: string }> {
    const { summary: wantsSummary, question, highlights } = plan;
    const queries = [question, highlights].filter((query) => query !== null);
    const { extractor, room } = await extraction.open();
    const answer = await extractor.readText({ markdown, wantsSummary, queries }).catch(() => null);
    if (!answer) return { outputs: {}, warning: `The text ${tooLong}` };
    const outputs = textOutputs(plan, answer);
    const empty = Object.entries(outputs).flatMap(([name, text]) => (text === "" ? [name] : []));
    const nothing = empty.length > 0 ? ` Nothing in it fits, so there is no ${empty.join(" and no ")}.` : "";
    // That the page has no text was said when it was read.
    return { outputs, warning: markdown.trim() === "" ? "" : room.noModelWarning + nothing };
  }

  async function readThings(
    { document, finding, plan, trace }: AnswerRequest,
    text: string,
    open: OpenUse,
  ): Promise<Made> {
    const request = { names: plan.things, url: urlOf(document), found: finding?.things ?? {}, text };
    return makeThings(request, fillData, open, trace);
  }

  async function makeChunks({ plan }: AnswerRequest, markdown: string): Promise<Made> {
    const asked = plan.answers?.chunks ?? null;
    if (!asked) return { outputs: {}, warnings: [], isFinal: true };
    const { maxTokens, overlap } = asked;
    const { extractor } = await extraction.open();
    const made = await extractor.chunk({ markdown, maxTokens, overlap }).catch(() => null);
    if (!made) return { outputs: {}, warnings: [`The output chunks ${tooLong}`], isFinal: false };
    const warnings = made.isCut ? ["The text is too long for the output chunks: the end of it is not in them."] : [];
    return { outputs: { chunks: made.chunks }, warnings, isFinal: true };
  }

  return {
    /** Whether a page's text talks to models, as the model sees it; null: there is none to ask. */
    async judge(page: { url: string; text: string }, asker: Asker, trace: Trace): Promise<InjectionJudgement | null> {
      return model && judgeInjection(await model.open(asker), { ...page, text: modelText(page.text).text }, trace);
    },

    /** The names of persons in a page's text; null: there is no model to ask. */
    async names(page: { url: string; text: string }, asker: Asker, trace: Trace): Promise<FoundNames | null> {
      return model && findNames(await model.open(asker), page, trace);
    },

    /** The document with the outputs of the plan. */
    async add(request: AnswerRequest): Promise<AnsweredPage> {
      const { document, plan } = request;
      const open = asUse(request);
      const cleaned = await clean(request, open);
      const whole = cleaned.outputs.markdown ?? document.markdown ?? "";
      const { text, warnings: cut } = open ? modelText(whole) : { text: whole, warnings: [] };
      const filled = await findData(request, text, open);
      const parts = [
        cleaned,
        showData(plan, filled),
        await makeTexts(request, text, open),
        await readThings(request, text, open),
        await makeChunks(request, whole),
      ];
      const { markdown, ...rest } = Object.assign({}, document, ...parts.map(({ outputs }) => outputs)) as Document;
      const locked = isLocked(plan) ? [lockedWarning] : [];
      const warnings = [document.warning ?? [], locked, cut, ...parts.map((part) => part.warnings)].flat();
      return {
        document: {
          ...rest,
          ...(plan.answers?.hidesMarkdown || markdown === undefined ? {} : { markdown }),
          ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
        },
        foundText: document.markdown ?? "",
        tracked: plan.tracked && filled ? filled.data : null,
        isFinal: !isLocked(plan) && parts.every(({ isFinal }) => isFinal),
      };
    },
  };
}

/** Whether the outputs would use a model if one were allowed. */
function isLocked(plan: OutputPlan): boolean {
  return plan.model !== null && plan.isLocked;
}

function urlOf({ metadata }: Document): string {
  return metadata.url ?? "";
}

function wantsText({ summary, question, highlights }: TextPlan | AnswerPlan): boolean {
  return summary || question !== null || highlights !== null;
}

/** The answer is what the best passages say; highlights are all of them, best first. */
function textOutputs(plan: TextPlan, answer: PassageAnswer): Partial<Document> {
  const { summary, question, highlights, highlightTokens } = plan;
  const passages = [...answer.passages];
  const asked = question === null ? [] : (passages.shift() ?? []);
  const looked = highlights === null ? [] : (passages.shift() ?? []);
  return {
    ...(summary ? { summary: answer.summary } : {}),
    ...(question === null ? {} : { answer: join(asked.slice(0, answerPassages)) }),
    ...(highlights === null ? {} : { highlights: join(withinTokens(looked, highlightTokens, highlights)) }),
  };
}

const answerPassages = 3;

function join(passages: readonly TextPassage[]): string {
  return passages.map(({ text }) => text).join("\n\n");
}
