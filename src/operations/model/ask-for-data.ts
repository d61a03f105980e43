// Asks the model for data of pages: in one question when they fit into it; else lists part by part, because any part may hold
// items, and everything else of the parts that fit best.
import type { Found } from "../../extraction/index.ts";
import type { Check, FilledPages, ModelFailure, PageText } from "../../llm/index.ts";
import { inTurns } from "./in-turns.ts";
import type { ModelUse } from "./language-model.ts";
import { type Schema, splitLists } from "./open-parts.ts";
import { foundOf } from "./told-values.ts";

export interface Told {
  found: Found[];
  /** Sentences about what was said and not taken, or not read. */
  warnings: string[];
  /** Why the model could not be asked, or not to the end. */
  failure: ModelFailure | null;
}

export interface DataQuestion {
  schema: Schema;
  prompt: string | null;
  pages: readonly PageText[];
  /** Of a value against a schema. */
  checkFor(schema: Schema): Check;
}

const mostQuestions = 50;
/** Of the tokens that are left, what page text may take: answers and rules take some, too. */
const textShare = 0.7;
const maxNamed = 50;

export async function askForData(use: ModelUse, { schema, prompt, pages, checkFor }: DataQuestion): Promise<Told> {
  const { room, contextTokens } = use;
  const ask = (part: Schema, texts: readonly PageText[]) =>
    room.fillFromPages(use.reading(texts), { schema: part, prompt, check: checkFor(part) });
  const size = pages.reduce((sum, { text }) => sum + room.estimateTokens(room.cleanText(text)), 0);
  const { lists, rest } = splitLists(schema);
  if (size <= contextTokens || lists === null) return tell([await ask(schema, pages)]);

  const query = `${prompt ?? ""} ${room.wordsOfSchema(lists)}`;
  const { groups, isShortened } = makeGroups(use, pages, query);
  const first = rest === null ? [] : [await ask(rest, pages)];
  const isEnd = (answer: FilledPages | ModelFailure) => !answer.ok && answer.code !== "MODEL_ANSWER_UNUSABLE";
  const answers = await inTurns(use, groups, (group) => ask(lists, group), isEnd);
  return tell([...first, ...answers], isShortened);
}

export async function askByPrompt(use: ModelUse, prompt: string, pages: readonly PageText[]): Promise<Told> {
  return tell([await use.room.fillByPrompt(use.reading(pages), prompt)]);
}

/** All pages in groups that fit into a question each, of too many the parts that fit the query best. */
function makeGroups(use: ModelUse, pages: readonly PageText[], query: string) {
  const { room, contextTokens } = use;
  const most = Math.min(use.allowance.left() * textShare, mostQuestions * contextTokens);
  const share = Math.floor(most / pages.length);
  const chosen = pages.map(({ url, text }) => ({ url, ...room.chooseText(room.cleanText(text), query, share) }));
  const parts = chosen.flatMap(({ url, text }) =>
    room.splitText(text, contextTokens).map((part) => ({ url, text: part, tokens: room.estimateTokens(part) })),
  );
  const groups: PageText[][] = [];
  let space = 0;
  for (const { url, text, tokens } of parts) {
    const group = groups.at(-1);
    if (group === undefined || tokens > space) {
      groups.push([{ url, text }]);
      space = contextTokens - tokens;
    } else {
      group.push({ url, text });
      space -= tokens;
    }
  }
  return { groups, isShortened: chosen.some((one) => one.isShortened) };
}

function tell(answers: readonly (FilledPages | ModelFailure)[], isShortened = false): Told {
  const filled = answers.filter((answer) => answer.ok);
  const failure = answers.find((answer) => !answer.ok) ?? null;
  const unsupported = namesOf(filled.flatMap((answer) => answer.unsupported));
  const dropped = namesOf(filled.flatMap((answer) => answer.dropped));
  const isPartial = isShortened || filled.some((answer) => answer.isPartial);
  return {
    found: filled.flatMap(({ value, evidence }) => foundOf(value, evidence) ?? []),
    warnings: [
      ...(unsupported === "" ? [] : [`Said by the language model, but on no page, and left out: ${unsupported}.`]),
      ...(dropped === "" ? [] : [`Said by the language model, but not valid against the schema: ${dropped}.`]),
      ...(isPartial ? [partialWarning] : []),
    ],
    failure,
  };
}

const partialWarning =
  "Not all of the text fitted into the questions to the language model, or not all of its answer was written: something may be missing.";

/** Each once, without places in lists. */
function namesOf(paths: readonly string[]): string {
  const names = [...new Set(paths.map((path) => path.replace(/\[\d+\]/g, "") || "an item"))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return names.slice(0, maxNamed).join(", ") + more;
}
