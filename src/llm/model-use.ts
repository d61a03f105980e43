// The language model as the rest of the program uses it: all questions of one request share the request's tokens and end before
// its time does.
import type { Trace } from "../base/index.ts";
import { createAllowance } from "./budget.ts";
import { cleanLines } from "./clean-lines.ts";
import { coerceTypes } from "./coerce-types.ts";
import type { Check, JsonObject, Model, ModelFailure, ModelImage } from "./model.ts";
import { buildPrompt, cleanText, type PagePrompt, type PageText, type Question, wordsOfSchema } from "./prompt.ts";
import {
  answerFromPages,
  type Doubts,
  examineWords,
  fillByPrompt,
  fillFromPages,
  type ModelReading,
  quoteFromPages,
  requestOf,
  summarisePages,
} from "./read-pages.ts";
import { createSupport, dropUnsupported } from "./support.ts";
import { chooseText, splitText } from "./text-sections.ts";
import { transcribeImage } from "./transcribe.ts";

export interface ModelLimits {
  /** Of page text in one question. */
  contextTokens: number;
  maxOutputTokens: number;
  /** Of one answer. */
  timeoutMs: number;
  /** Of all questions of one request; 0: unlimited. */
  tokensPerRequest: number;
}

/** On whose behalf the model is asked. */
export interface Asker {
  teamId: string;
  /** Null where no key was needed. */
  keyId: string | null;
  signal: AbortSignal;
  /** By performance.now(): what is not answered by then is given up. */
  endsAt: number;
  /** Tokens that may be used, where that is less than a request may. */
  maxTokens?: number;
}

/** The questions of one request. */
export type ModelUse = ReturnType<typeof createModelUse>;

/** Opens a model for a request; null where no model may be used. */
export type OpenUse = (() => Promise<ModelUse>) | null;

export interface LanguageModel {
  /** As its service calls it. */
  name: string;
  open(asker: Asker): Promise<ModelUse>;
}

/** Questions of one request that are asked at the same time. */
const atOnce = 4;
const shownNumbers = 20;

export function createModelUse(model: Model, limits: ModelLimits, asker: Asker) {
  const { contextTokens, maxOutputTokens } = limits;
  const { teamId, keyId, signal, endsAt } = asker;
  const allowance = createAllowance(limits.tokensPerRequest, asker.maxTokens);

  function reading(pages: readonly PageText[]): ModelReading {
    const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, endsAt - performance.now()));
    const own = { contextTokens, maxOutputTokens, timeoutMs };
    return { model, pages, teamId, keyId, allowance, limits: own, signal };
  }

  /** Read and written so far. */
  const tokensUsed = () => allowance.used.input + allowance.used.output;

  return {
    name: model.name,
    contextTokens,
    allowance,
    tokensUsed,
    /** Asks as a step of the trace, which tells `detail` beside the model and its tokens. */
    traced: <Answer extends { ok: true }>(
      trace: Trace,
      detail: object,
      ask: () => Promise<Answer | ModelFailure>,
    ): Promise<Answer | ModelFailure> =>
      trace.run("model", ask, (answer) => ({
        outcome: answer.ok ? "answered" : answer.code,
        detail: { ...detail, model: model.name, tokens: tokensUsed() },
      })),

    buildPrompt: ({ maxTokens = contextTokens, ...question }: Omit<Question, "maxTokens"> & { maxTokens?: number }) =>
      buildPrompt({ maxTokens, ...question }),
    /** Answers with a value of the schema. Page text must not be in `system`. */
    fill: (words: Pick<PagePrompt, "system" | "prompt">, { schema, check }: { schema: JsonObject; check: Check }) =>
      model.fill({ ...requestOf(reading([]), words), schema, check, coerce: coerceTypes(schema) }),

    fillFromPages: (pages: readonly PageText[], wanted: Parameters<typeof fillFromPages>[1]) =>
      fillFromPages(reading(pages), wanted),
    fillByPrompt: (pages: readonly PageText[], prompt: string) => fillByPrompt(reading(pages), prompt),
    answerFromPages: (pages: readonly PageText[], asked: string) => answerFromPages(reading(pages), asked),
    quoteFromPages: (pages: readonly PageText[], asked: string) => quoteFromPages(reading(pages), asked),
    summarisePages: (pages: readonly PageText[]) => summarisePages(reading(pages)),
    cleanLines: (page: PageText) => cleanLines(reading([page])),
    transcribeImage: (image: ModelImage) => transcribeImage(reading([]), image),

    createSupport,
    dropUnsupported,
    examineWords,
    doubtsAbout,
    cleanText,
    chooseText,
    splitText,
    wordsOfSchema,

    /**
     * Several questions, in parallel only while the request's tokens suffice for all of them: otherwise they could exceed its
     * limit. Ends early when `isEnd` says so of a result.
     */
    async inTurns<Item, Result>(
      items: readonly Item[],
      ask: (item: Item) => Promise<Result>,
      isEnd: (result: Result) => boolean = () => false,
    ): Promise<Result[]> {
      const results: Result[] = [];
      while (results.length < items.length) {
        const affordable = Math.floor(allowance.left() / (contextTokens + maxOutputTokens));
        const count = Math.max(1, Math.min(atOnce, affordable));
        const turn = await Promise.all(items.slice(results.length, results.length + count).map(ask));
        results.push(...turn);
        if (turn.some(isEnd)) break;
      }
      return results;
    },
  };
}

/** Warnings about the unsupported parts of a free-text answer. What was left out is not repeated. */
function doubtsAbout(output: string, { strayNumbers, isShortened, isCutOff }: Doubts): string[] {
  const numbers = strayNumbers.slice(0, shownNumbers).join(", ");
  return [
    ...(numbers === "" ? [] : [`The ${output} has numbers that are not on the page: ${numbers}.`]),
    ...(isShortened ? [`Images and URLs that are not on the page were left out of the ${output}.`] : []),
    ...(isCutOff ? [`The ${output} is cut off because the language model stopped early.`] : []),
  ];
}
