// Summary, answer and highlights of a page, written by the model. Where it cannot be used, the page's own sentences serve.

import type { Trace } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { Doubts, ModelFailure, Passage } from "../../llm/index.ts";
import { estimateTokens, splitWords, stem } from "../../text/index.ts";
import { inTurns } from "../model/in-turns.ts";
import type { ModelUse } from "../model/language-model.ts";

export interface TextPlan {
  summary: boolean;
  question: string | null;
  /** The answer must consist of quotes only. */
  isQuoted: boolean;
  highlights: string | null;
  /** The longest that highlights may be; null: as long as they are. */
  highlightTokens: number | null;
}

export interface TextOutputs {
  outputs: Partial<Document>;
  warnings: string[];
  /** What the model did not answer. */
  left: TextPlan;
  /** Why. */
  failure: ModelFailure | null;
}

const noQuote = "No passage of the page that says what the answer says was found: it may be wrong.";
const notSaid = "The language model found no answer on the page.";
const nothingAbout = "The language model found nothing about this on the page.";

export async function askAboutText(
  use: ModelUse,
  plan: TextPlan,
  page: { url: string; text: string },
  trace: Trace,
): Promise<TextOutputs> {
  const { room } = use;
  const told: TextOutputs = { outputs: {}, warnings: [], left: { ...plan }, failure: null };
  await inTurns(use, [askSummary, askQuestion, askHighlights], (one) => one());
  return told;

  async function ask<Answer extends { ok: true }>(
    what: string,
    work: () => Promise<Answer | ModelFailure>,
  ): Promise<Answer | null> {
    const answer = await trace.run("model", work, (given) => ({
      outcome: given.ok ? "answered" : given.code,
      detail: { output: what, model: use.model.name, tokens: use.tokensUsed() },
    }));
    if (answer.ok) return answer;
    told.failure ??= answer;
    return null;
  }

  async function askSummary(): Promise<void> {
    if (!plan.summary) return;
    const answer = await ask("summary", () => room.summarisePages(use.reading([page])));
    if (!answer) return;
    told.outputs.summary = answer.summary;
    told.warnings.push(...doubtsAbout("summary", answer));
    told.left.summary = false;
  }

  async function askQuestion(): Promise<void> {
    const { question } = plan;
    if (question === null) return;
    if (plan.isQuoted) {
      const quoted = await ask("answer", () => room.quoteFromPages(use.reading([page]), question));
      if (quoted) answerWith(textOf(quoted.passages), quoted.passages, notSaid);
      return;
    }
    const answer = await ask("answer", () => room.answerFromPages(use.reading([page]), question));
    if (!answer) return;
    answerWith(answer.answer ?? "", answer.passages, answer.answer === null ? notSaid : noQuote);
    told.warnings.push(...doubtsAbout("answer", answer));
  }

  function answerWith(answer: string, passages: Passage[], warning: string): void {
    told.outputs.answer = answer;
    told.outputs.passages = answer === "" ? [] : passages;
    told.left.question = null;
    if (answer === "" || passages.length === 0) told.warnings.push(warning);
  }

  async function askHighlights(): Promise<void> {
    const { highlights } = plan;
    if (highlights === null) return;
    const quoted = await ask("highlights", () => room.quoteFromPages(use.reading([page]), highlights));
    if (!quoted) return;
    told.outputs.highlights = textOf(withinTokens(quoted.passages, plan.highlightTokens, highlights));
    told.left.highlights = null;
    if (quoted.passages.length === 0) told.warnings.push(nothingAbout);
  }
}

const shownNumbers = 20;

/** Warnings about the unsupported parts of a free-text answer. What was left out is not repeated. */
export function doubtsAbout(output: string, { strayNumbers, isShortened, isCutOff }: Doubts): string[] {
  const numbers = strayNumbers.slice(0, shownNumbers).join(", ");
  return [
    ...(numbers === "" ? [] : [`Numbers in the ${output} that are not on the page: ${numbers}.`]),
    ...(isShortened ? [`Images and URLs that are not on the page were left out of the ${output}.`] : []),
    ...(isCutOff ? [`The ${output} ends in the middle: the language model did not write it to its end.`] : []),
  ];
}

/** The best passages that fit into so many tokens; of the first one its best sentences. */
export function withinTokens<Text extends { text: string }>(
  passages: readonly Text[],
  most: number | null,
  query: string,
): Text[] {
  if (most === null) return [...passages];
  const kept: Text[] = [];
  let left = most;
  for (const passage of passages) {
    const tokens = estimateTokens(passage.text);
    if (tokens > left && kept.length > 0) break;
    kept.push(tokens > left ? { ...passage, text: bestSentences(passage.text, left, query) } : passage);
    left -= tokens;
    if (left <= 0) break;
  }
  return kept;
}

/** Those sentences of a text that have most words of the query, in their order, up to so many tokens. */
function bestSentences(text: string, tokens: number, query: string): string {
  const wanted = new Set(splitWords(query).map(stem));
  const rated = text.split(/(?<=[.!?。！？])\s+/).map((sentence, place) => {
    const found = new Set(splitWords(sentence).map(stem));
    return { sentence, place, hits: [...wanted].filter((word) => found.has(word)).length };
  });
  const kept: typeof rated = [];
  let left = tokens;
  for (const one of rated.toSorted((a, b) => b.hits - a.hits)) {
    const size = estimateTokens(`${one.sentence} `);
    if (size > left || (one.hits === 0 && kept.length > 0)) continue;
    kept.push(one);
    left -= size;
  }
  // A single sentence that is too long is cut.
  if (kept.length === 0) return text.slice(0, tokens);
  return kept
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence)
    .join(" ");
}

function textOf(passages: readonly Passage[]): string {
  return passages.map(({ text }) => text).join("\n\n");
}
