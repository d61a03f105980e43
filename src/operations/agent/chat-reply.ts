// The reply of an agent that was asked to talk: its answer as a message, and what its user could ask next.
import { isObject, scalarText } from "../../base/index.ts";
import type { AnswerRecord, Suggestion } from "../../jobs/index.ts";
import type { ModelUse } from "../../llm/index.ts";

export type Reply = Required<Pick<AnswerRecord, "message" | "suggestions">>;

export const nothingSaid = "The pages that were read do not answer the question.";
const mostSuggestions = 3;
const longestLabel = 80;
const longestSuggestion = 500;

const role = {
  task: "You help the user of a program that finds data on the web to go on after an answer.",
  answer: "Suggest only what the web can answer and what the answer leaves open.",
};

const form = {
  type: "object",
  properties: {
    suggestions: {
      type: "array",
      description: `At most ${mostSuggestions} requests with which the user could go on; none when nothing is left to ask`,
      items: {
        type: "object",
        properties: {
          label: { type: "string", description: "A few words for a button" },
          prompt: { type: "string", description: "The request, in the words of the user" },
        },
        required: ["label", "prompt"],
      },
    },
  },
};

/** A model that suggests nothing spoils no answer. */
export async function replyOf(use: ModelUse, asked: string, data: unknown): Promise<Reply> {
  const answer = isObject(data) ? scalarText(data.answer) : "";
  if (answer === "") return { message: nothingSaid, suggestions: [] };
  const words = use.buildPrompt({
    task: `The user asked: ${asked}\nThe answer follows. Name what the user could ask next.`,
    pages: [{ url: "Answer", text: answer }],
    query: "",
    role,
  });
  const filled = await use.fill(words, { schema: form, check: () => [] });
  return { message: answer, suggestions: filled.ok ? readSuggestions(filled.value) : [] };
}

function readSuggestions(value: unknown): Suggestion[] {
  const { suggestions } = isObject(value) ? value : {};
  return (Array.isArray(suggestions) ? suggestions : [])
    .map((each) => ({
      label: scalarText(each?.label).trim().slice(0, longestLabel),
      prompt: scalarText(each?.prompt).trim().slice(0, longestSuggestion),
    }))
    .filter(({ label, prompt }) => label !== "" && prompt !== "")
    .slice(0, mostSuggestions);
}
