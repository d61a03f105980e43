// Texts about a page: written by the model, else the page's own sentences.

import type { Document } from "../../contract/index.ts";
import type { PassageAnswer } from "../../extraction/index.ts";
import type { ModelFailure, ModelUse, Passage } from "../../llm/index.ts";
import { estimateTokens, modelWarning, stem, wholeWords } from "../../text/index.ts";
import type { Made, MakeContext } from "./page-format.ts";

interface TextAnswer<Answer> {
  /** The document's field. */
  output: keyof Document & string;
  ask(use: ModelUse, page: { url: string; text: string }): Promise<Answer | ModelFailure>;
  shown(answer: Answer, use: ModelUse): Made;
  /** What to look for in the text where no model answers, and how that is shown. */
  request: { wantsSummary: boolean; queries: string[] };
  found(answer: PassageAnswer): string;
}

const instead = "These outputs are passages of the page that match your request.";

export async function answerFromText<Answer extends { ok: true }>(
  context: MakeContext,
  how: TextAnswer<Answer>,
): Promise<Made> {
  const { open, url, text, trace, isLocked } = context;
  let failure: ModelFailure | null = null;
  if (open && text.trim() !== "") {
    const use = await open();
    const answer = await use.traced(trace, { output: how.output }, () => how.ask(use, { url, text }));
    if (answer.ok) return how.shown(answer, use);
    failure = answer;
  }
  const { outputs, warnings } = await findInText(context, how);
  const why = failure ? [modelWarning(failure, instead)] : isLocked ? [] : warnings;
  return { outputs, warnings: why, isFinal: failure === null };
}

async function findInText(
  { extraction, text }: MakeContext,
  { output, request, found }: Pick<TextAnswer<never>, "output" | "request" | "found">,
): Promise<Pick<Required<Made>, "outputs" | "warnings">> {
  const { readText } = await extraction.open();
  const answer = await readText({ markdown: text, ...request }).catch(() => null);
  if (!answer) return { outputs: {}, warnings: ["The text took too long on this page and was left out."] };
  const shown = found(answer);
  const nothing = shown === "" ? [`Nothing in it fits, so there is no ${output}.`] : [];
  // That the page has no text was said when it was read.
  return {
    outputs: { [output]: shown },
    warnings: text.trim() === "" ? [] : [`No language model is configured. ${instead}`, ...nothing],
  };
}

const noQuote = "No passage of the page supports the answer, so it may be wrong.";
const notSaid = "The language model found no answer on the page.";
const answerPassages = 3;

export function answerQuestion(context: MakeContext, question: string): Promise<Made> {
  return answerFromText(context, {
    output: "answer",
    ask: (use, page) => use.answerFromPages([page], question),
    shown: (answer, use) => {
      const made = withPassages(answer.answer ?? "", answer.passages, answer.answer === null ? notSaid : noQuote);
      return { ...made, warnings: [...made.warnings, ...use.doubtsAbout("answer", answer)] };
    },
    ...fromPassages(question),
  });
}

/** An answer of quotes only. */
export function quoteAnswer(context: MakeContext, question: string): Promise<Made> {
  return answerFromText(context, {
    output: "answer",
    ask: (use, page) => use.quoteFromPages([page], question),
    shown: ({ passages }) => withPassages(joinTexts(passages), passages, notSaid),
    ...fromPassages(question),
  });
}

/** What the best passages say. */
function fromPassages(question: string): Pick<TextAnswer<never>, "request" | "found"> {
  return {
    request: { wantsSummary: false, queries: [question] },
    found: ({ passages: [best = []] }) => joinTexts(best.slice(0, answerPassages)),
  };
}

function withPassages(answer: string, passages: Passage[], warning: string) {
  return {
    outputs: { answer, passages: answer === "" ? [] : passages },
    warnings: answer === "" || passages.length === 0 ? [warning] : [],
  };
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
  const wanted = new Set(wholeWords(query).map(stem));
  const rated = text.split(/(?<=[.!?。！？])\s+/).map((sentence, place) => {
    const found = new Set(wholeWords(sentence).map(stem));
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

export function joinTexts(passages: readonly { text: string }[]): string {
  return passages.map(({ text }) => text).join("\n\n");
}
