// What callers ask a model about pages: the fields of a schema, an answer to a question, a summary. Whatever is said to be
// on a page is looked up there before it is believed.
import { isObject } from "../base/index.ts";
import { coerceTypes } from "./coerce-types.ts";
import type { Allowance, Check, JsonObject, Model, ModelFailure, ModelRequest, Path } from "./model.ts";
import { plainWords } from "./plain-words.ts";
import { buildPrompt, type PagePrompt, type PageText, wordsOfSchema } from "./prompt.ts";
import { readModelJson } from "./repair.ts";
import { createSupport, dropUnsupported, type Passage, type Support } from "./support.ts";
import { showPath } from "./value-path.ts";

export interface ModelReading {
  model: Model;
  pages: readonly PageText[];
  teamId: string;
  keyId?: string | null;
  allowance: Allowance;
  limits: ReadingLimits;
  signal: AbortSignal;
}

export interface ReadingLimits {
  /** Of page text. */
  contextTokens: number;
  maxOutputTokens: number;
  timeoutMs: number;
}

export interface FilledPages {
  ok: true;
  value: unknown;
  /** Field path -> where its value is on the pages. Values that the schema lets the model infer have no entry. */
  evidence: Record<string, Passage>;
  /** Paths of values that are on no page and were left out. */
  unsupported: string[];
  /** Paths of values that broke the schema and were left out. */
  dropped: string[];
  /** Parts of the pages were not read, or parts of the answer not written. */
  isPartial: boolean;
  /** The answer was longer than the model may write: lists may lack their last items. */
  isCutOff: boolean;
}

export interface PageAnswer extends Doubts {
  ok: true;
  /** Null when the pages do not say it. */
  answer: string | null;
  /** Lines of the pages that the answer rests on, each looked up. */
  passages: Passage[];
}

/** The unsupported parts of a free-text answer. */
export interface Doubts {
  /** Numbers that are neither on the pages nor in the question. */
  strayNumbers: string[];
  /** Pictures, or URLs that are on no page, were left out. */
  isShortened: boolean;
  /** The answer ends in the middle. */
  isCutOff: boolean;
}

/** Values of the schema, each of them supported by a page. */
export async function fillFromPages(
  reading: ModelReading,
  wanted: { schema: JsonObject; prompt: string | null; check: Check },
): Promise<FilledPages | ModelFailure> {
  const { schema, prompt, check } = wanted;
  const unsupported = new Set<string>();
  const putTypesRight = coerceTypes(schema);
  const task = `Read the wanted fields from the pages.${prompt === null ? "" : `\nWhat is wanted: ${prompt}`}`;
  const question = questionOf(reading, task, `${prompt ?? ""} ${wordsOfSchema(schema)}`);
  const { support } = question;
  const answer = await reading.model.fill({
    ...question.request,
    schema,
    check,
    // Before the check, so that leaving something out cannot make the value invalid unseen.
    coerce(value) {
      const kept = dropUnsupported(putTypesRight(value), schema, support);
      for (const path of kept.unsupported) unsupported.add(path);
      return kept.value;
    },
  });
  if (!answer.ok) return answer;
  return {
    ok: true,
    value: answer.value,
    evidence: evidenceOf(answer.value, support),
    unsupported: [...unsupported],
    dropped: answer.dropped.map(showPath),
    isPartial: answer.isPartial || question.isShortened,
    isCutOff: answer.isPartial,
  };
}

/** Without a schema the model chooses the form, so it writes it as text. */
const freeForm = {
  type: "object",
  properties: { json: { type: "string", description: "A JSON object with the answer, as text" } },
  required: ["json"],
};

/** The same by a prompt alone. */
export async function fillByPrompt(reading: ModelReading, prompt: string): Promise<FilledPages | ModelFailure> {
  const question = questionOf(reading, `Read this from the pages: ${prompt}`, prompt);
  const { support } = question;
  const answer = await reading.model.fill({ ...question.request, schema: freeForm, check: checkFreeForm });
  if (!answer.ok) return answer;
  const given = readModelJson(textOf(answer.value, "json"));
  const { value, unsupported } = dropUnsupported(given?.value ?? {}, {}, support);
  return {
    ok: true,
    value,
    evidence: evidenceOf(value, support),
    unsupported,
    dropped: [],
    isPartial: answer.isPartial || question.isShortened || given?.isComplete !== true,
    isCutOff: answer.isPartial,
  };
}

const checkFreeForm: Check = (value) => {
  if (readModelJson(textOf(value, "json")) !== null) return [];
  return [{ path: ["json"], kind: "wrong", message: "must be a JSON object as text" }];
};

const answerForm = {
  type: "object",
  properties: {
    answer: {
      type: "string",
      description: "The answer, in the language of the question; null when the pages do not say it",
    },
    quotes: {
      type: "array",
      items: { type: "string" },
      description: "Sentences of the pages that say so, word for word",
    },
  },
};

export async function answerFromPages(reading: ModelReading, asked: string): Promise<PageAnswer | ModelFailure> {
  const { request, support, shown } = questionOf(reading, `Answer this question from the pages: ${asked}`, asked);
  const answer = await fillIn(reading, request, answerForm);
  if (!answer.ok) return answer;
  const passages = passagesOf(answer.value, support);
  const { text, ...doubts } = examineWords(textOf(answer.value, "answer"), { shown, support, asked });
  return { ok: true, answer: text || null, passages, ...doubts, isCutOff: answer.isPartial };
}

/** Looks an answer in words up on what the model was shown, and in what it was asked. */
export function examineWords(
  given: string,
  { shown, support, asked }: { shown: readonly PageText[]; support: Support; asked: string },
): Omit<Doubts, "isCutOff"> & { text: string } {
  const { text, isShortened } = plainWords(given, [asked, ...shown.map((page) => page.text)]);
  const strayNumbers = strayNumbersOf(text, support).filter((number) => !asked.includes(number));
  return { text, strayNumbers, isShortened };
}

/** Numbers of more than one digit; smaller ones are counted, not read. */
function strayNumbersOf(text: string, support: Support): string[] {
  const numbers = new Set(text.match(/\d+(?:[.,:/-]\d+)*/g));
  return [...numbers].filter((number) => /\d.*\d/.test(number) && support.find(number) === null);
}

/** The quotes of an answer that are on a page, each once. */
function passagesOf(value: unknown, support: Support): Passage[] {
  const { quotes } = isObject(value) ? value : {};
  const found = (Array.isArray(quotes) ? quotes : []).flatMap((quote) => {
    const passage = typeof quote === "string" && quote.trim() !== "" ? support.find(quote) : null;
    return passage === null ? [] : [passage];
  });
  return [...new Map(found.map((passage) => [`${passage.url} ${passage.text}`, passage])).values()];
}

const quotesForm = {
  type: "object",
  properties: {
    quotes: {
      type: "array",
      items: { type: "string" },
      description:
        "Sentences of the pages about it, word for word, what says most first; empty when no sentence is about it",
    },
  },
};

/** The pages' own sentences about something. */
export async function quoteFromPages(
  reading: ModelReading,
  asked: string,
): Promise<{ ok: true; passages: Passage[] } | ModelFailure> {
  const { request, support } = questionOf(
    reading,
    `Copy the sentences of the pages that are about this: ${asked}`,
    asked,
  );
  const answer = await fillIn(reading, request, quotesForm);
  if (!answer.ok) return answer;
  return { ok: true, passages: passagesOf(answer.value, support) };
}

const summaryTask =
  "Summarise what the pages say in one paragraph of at most 120 words, in their language. Write the summary and nothing else.";

export async function summarisePages(
  reading: ModelReading,
): Promise<({ ok: true; summary: string } & Doubts) | ModelFailure> {
  const { request, support, shown } = questionOf(reading, summaryTask, "");
  const answer = await reading.model.ask(request);
  if (!answer.ok) return answer;
  const { text: summary, ...doubts } = examineWords(answer.text, { shown, support, asked: "" });
  return { ok: true, summary, ...doubts, isCutOff: answer.isCutOff };
}

/** Fills a form of ours: types are put right, and anything else may be in it. */
function fillIn({ model }: ModelReading, request: ModelRequest, schema: JsonObject) {
  return model.fill({ ...request, schema, check: () => [], coerce: coerceTypes(schema) });
}

/** A question in the name and within the limits of a reading. */
export function requestOf(
  { teamId, keyId = null, allowance, limits, signal }: Omit<ModelReading, "pages">,
  { system, prompt }: Pick<PagePrompt, "system" | "prompt">,
): ModelRequest {
  const { maxOutputTokens, timeoutMs } = limits;
  return { system, prompt, teamId, keyId, allowance, maxOutputTokens, timeoutMs, signal };
}

function questionOf(
  reading: ModelReading,
  task: string,
  query: string,
): { request: ModelRequest; support: Support } & Pick<PagePrompt, "isShortened" | "shown"> {
  const { pages, limits } = reading;
  const { shown, isShortened, ...words } = buildPrompt({ task, pages, query, maxTokens: limits.contextTokens });
  const request = requestOf(reading, words);
  // By what the model was shown: what a page hides, or what did not fit, supports nothing.
  return { request, support: createSupport(shown), isShortened, shown };
}

function evidenceOf(value: unknown, support: Support): Record<string, Passage> {
  const entries: [string, Passage][] = [];
  const visit = (each: unknown, path: Path): void => {
    if (typeof each === "string" || typeof each === "number") {
      const passage = support.find(each);
      if (passage !== null) entries.push([showPath(path), passage]);
    } else if (Array.isArray(each)) {
      for (const [place, item] of each.entries()) visit(item, [...path, place]);
    } else if (isObject(each)) {
      for (const [name, below] of Object.entries(each)) visit(below, [...path, name]);
    }
  };
  visit(value, []);
  return Object.fromEntries(entries);
}

function textOf(value: unknown, name: string): string {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === "string" ? text : "";
}
