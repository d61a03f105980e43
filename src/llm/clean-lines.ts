// Removes leftover boilerplate from a text with a model: it names lines to leave out by their numbers, so that whatever it says
// nothing of the text can be changed or added.
import { isObject } from "../base/index.ts";
import { coerceTypes } from "./coerce-types.ts";
import type { Check, ModelFailure } from "./model.ts";
import { buildPrompt } from "./prompt.ts";
import { type ModelReading, requestOf } from "./read-pages.ts";

export interface CleanedText {
  ok: true;
  /** Lines of the given text, in their order. */
  text: string;
  /** How many lines went. */
  removed: number;
}

const form = {
  type: "object",
  properties: {
    remove: {
      type: "array",
      items: {
        type: "object",
        properties: { from: { type: "integer" }, to: { type: "integer" } },
        required: ["from", "to"],
      },
      description:
        "Runs of lines to leave out, by the numbers of their first and last line; empty when all are content",
    },
  },
  required: ["remove"],
};

const task =
  "The page below is text whose lines are numbered. Name the lines that are no part of what the page says: navigation, cookie " +
  "notices, advertisements, sharing and login prompts, lists of unrelated links, repeated footers. Keep everything that belongs " +
  "to the content, its headings, tables and links included. When in doubt, keep a line.";

/** The page of the reading is the text; it must fit into a question. */
export async function cleanLines(reading: ModelReading): Promise<CleanedText | ModelFailure> {
  const [page] = reading.pages;
  const lines = (page?.text ?? "").split("\n");
  const numbered = lines.map((line, place) => `${place + 1}: ${line}`).join("\n");
  const pages = [{ url: page?.url ?? "", text: numbered }];
  const words = buildPrompt({ task, pages, query: "", maxTokens: Number.POSITIVE_INFINITY });
  const answer = await reading.model.fill({
    ...requestOf(reading, words),
    schema: form,
    check: checkRuns(lines.length),
    coerce: coerceTypes(form),
  });
  if (!answer.ok) return answer;
  const runs = runsOf(answer.value);
  const kept = lines.filter((_, place) => !runs.some(({ from, to }) => place + 1 >= from && place + 1 <= to));
  return { ok: true, text: kept.join("\n").trim(), removed: lines.length - kept.length };
}

/** One line that there is not is enough: such an answer is about something else, and none of it is believed. */
function checkRuns(count: number): Check {
  const isRun = ({ from, to }: { from: number; to: number }) =>
    Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= count;
  return (value) => {
    if (runsOf(value).every(isRun)) return [];
    return [{ path: [], kind: "wrong", message: `must name lines between 1 and ${count}` }];
  };
}

function runsOf(value: unknown): { from: number; to: number }[] {
  const remove = isObject(value) && Array.isArray(value.remove) ? value.remove : [];
  return remove.map((run) => ({ from: Number(run?.from), to: Number(run?.to) }));
}
