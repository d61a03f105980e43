// Asks the model for data of pages: in one question when they fit into it; else lists part by part, because any part may hold
// items, and everything else of the parts that fit best.
import type { Check, FilledPages, ModelFailure, ModelUse, PageText } from "../../llm/index.ts";
import { estimateTokens } from "../../text/index.ts";
import type { Found } from "../findings/finding.ts";
import type { Locate } from "./file-places.ts";
import { foundOf } from "./model-values.ts";
import { type Schema, splitLists } from "./open-parts.ts";

export interface ModelData {
  found: Found[];
  /** Sentences about what was said and not taken, or not read. */
  warnings: string[];
  /** Why the model's answer is missing or incomplete. */
  failure: ModelFailure | null;
}

export interface DataQuestion {
  schema: Schema;
  prompt: string | null;
  pages: readonly PageText[];
  /** Of a value against a schema. */
  checkFor(schema: Schema): Check;
  locate: Locate;
}

type Answer = FilledPages | ModelFailure;

const mostQuestions = 50;
/** Parts are a little smaller than a question carries: headings are put before them. */
const partShare = 0.9;
/** How often the text of a list that was too long to be written is halved. */
const maxHalvings = 3;
/** Of the tokens that are left, what page text may take: answers and rules take some, too. */
const textShare = 0.7;
const maxNamed = 50;

export async function askForData(use: ModelUse, question: DataQuestion): Promise<ModelData> {
  const { schema, prompt, pages, checkFor, locate } = question;
  const { contextTokens } = use;
  const ask = (part: Schema, texts: readonly PageText[]) =>
    use.fillFromPages(texts, { schema: part, prompt, check: checkFor(part) });
  const size = pages.reduce((sum, { text }) => sum + estimateTokens(use.cleanText(text)), 0);
  const { lists, rest } = splitLists(schema);
  if (lists === null) return gather([await ask(schema, pages)], locate);
  if (size <= contextTokens) return gather(await inHalves(await ask(schema, pages), pages, 1), locate);

  const query = `${prompt ?? ""} ${use.wordsOfSchema(lists)}`;
  const { groups, isShortened } = makeGroups(use, pages, query);
  const first = rest === null ? [] : [await ask(rest, pages)];
  const isEnd = (answers: readonly Answer[]) =>
    answers.some((answer) => !answer.ok && answer.code !== "MODEL_ANSWER_UNUSABLE");
  const askLists = async (group: readonly PageText[]) => inHalves(await ask(lists, group), group, 1);
  const answers = await use.inTurns(groups, askLists, isEnd);
  return gather([...first, ...answers.flat()], locate, isShortened);

  /** What the model could not write to the end it is asked for again, from each half of the text. */
  async function inHalves(answer: Answer, texts: readonly PageText[], depth: number): Promise<Answer[]> {
    if (!answer.ok || !answer.isCutOff || lists === null || depth > maxHalvings) return [answer];
    const halves = halve(use, texts);
    if (halves.length < 2) return [answer];
    const answers: Answer[] = [{ ...answer, isPartial: false }];
    for (const half of halves) answers.push(...(await inHalves(await ask(lists, half), half, depth + 1)));
    return answers;
  }
}

export async function askByPrompt(
  use: ModelUse,
  prompt: string,
  pages: readonly PageText[],
  locate: Locate,
): Promise<ModelData> {
  return gather([await use.fillByPrompt(pages, prompt)], locate);
}

/** All pages in groups that fit into a question each, of too many the parts that fit the query best. */
function makeGroups(use: ModelUse, pages: readonly PageText[], query: string) {
  const { contextTokens } = use;
  const most = Math.min(use.allowance.left() * textShare, mostQuestions * contextTokens);
  const share = Math.floor(most / pages.length);
  const chosen = pages.map(({ url, text }) => ({ url, ...use.chooseText(use.cleanText(text), query, share) }));
  const groups = pack(use, chosen, Math.floor(contextTokens * partShare));
  return { groups, isShortened: chosen.some((one) => one.isShortened) };
}

function halve(use: ModelUse, texts: readonly PageText[]): PageText[][] {
  const size = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return pack(use, texts, Math.ceil(size * 0.55));
}

/** Texts in their order, in groups of at most so many tokens. */
function pack(use: ModelUse, texts: readonly PageText[], maxTokens: number): PageText[][] {
  const groups: PageText[][] = [];
  let space = 0;
  for (const { url, text } of texts) {
    for (const part of use.splitText(use.cleanText(text), maxTokens)) {
      const tokens = estimateTokens(part);
      const group = groups.at(-1);
      if (group === undefined || tokens > space) {
        groups.push([{ url, text: part }]);
        space = maxTokens - tokens;
      } else {
        group.push({ url, text: part });
        space -= tokens;
      }
    }
  }
  return groups;
}

function gather(answers: readonly Answer[], locate: Locate, isShortened = false): ModelData {
  const filled = answers.filter((answer) => answer.ok);
  const failure = answers.find((answer) => !answer.ok) ?? null;
  const unsupported = namesOf(filled.flatMap((answer) => answer.unsupported));
  const dropped = namesOf(filled.flatMap((answer) => answer.dropped));
  const isPartial = isShortened || filled.some((answer) => answer.isPartial);
  return {
    found: filled.flatMap(({ value, evidence }) => foundOf(value, evidence, locate) ?? []),
    warnings: [
      ...(unsupported === "" ? [] : [`Left out because no page supports the language model's value: ${unsupported}.`]),
      ...(dropped === "" ? [] : [`Left out because the language model's value does not match the schema: ${dropped}.`]),
      ...(isPartial ? [partialWarning] : []),
    ],
    failure,
  };
}

const partialWarning = "The text or the answer was too long for the language model: something may be missing.";

/** Each once, without places in lists. */
function namesOf(paths: readonly string[]): string {
  const names = [...new Set(paths.map((path) => path.replace(/\[\d+\]/g, "") || "an item"))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return names.slice(0, maxNamed).join(", ") + more;
}
