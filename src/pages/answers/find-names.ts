// The names of persons on a page, to be redacted: only a language model can tell them from other words.
import type { Trace } from "../../base/index.ts";
import type { ModelUse } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";

export type FoundNames = { names: string[] } | { warning: string };

const maxNames = 500;
const longestName = 100;
const notFound = "Names of persons were not redacted.";

const role = {
  task: "You find the names of persons on web pages, so that they can be removed to protect these persons.",
  answer:
    "List every name of a person exactly as it is written on the page, each spelling once: full names, first names and last names " +
    "on their own, and names with titles. Leave out companies, products, places and works.",
};

const schema = {
  type: "object",
  properties: { names: { type: "array", items: { type: "string" }, description: "The names, as they are written" } },
  required: ["names"],
};

export async function findNames(use: ModelUse, page: { url: string; text: string }, trace: Trace): Promise<FoundNames> {
  if (page.text.trim() === "") return { names: [] };
  const { system, prompt, isShortened } = use.buildPrompt({
    task: "Which personal names appear on this page?",
    pages: [page],
    query: "name author contact person",
    role,
  });
  if (isShortened) return { warning: `The page is too long for the language model. ${notFound}` };
  const check = (value: unknown) =>
    Array.isArray((value as { names?: unknown } | null)?.names)
      ? []
      : [{ path: ["names"], kind: "wrong" as const, message: "must be a list" }];
  const answer = await use.traced(trace, { output: "redactPII" }, () =>
    use.fill({ system, prompt }, { schema, check }),
  );
  if (!answer.ok) return { warning: modelWarning(answer, notFound) };
  const { names } = answer.value as { names: unknown[] };
  const told = names.filter((name): name is string => typeof name === "string" && name.length <= longestName);
  return { names: told.slice(0, maxNames) };
}
