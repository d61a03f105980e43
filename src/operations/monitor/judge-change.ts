// Whether a change matters to the monitor's goal, by a language model. What a page says is data, so it is put between marks.
import type { LanguageModel } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";
import type { Judgment } from "./check-pages.ts";
import { type ChangedText, meaningfulOf } from "./meaningful-changes.ts";

export interface JudgedChange {
  teamId: string;
  keyId: string | null;
  goal: string;
  url: string;
  /** A unified diff, or what was found. */
  text: string;
  /** What of it has changed. */
  changed: readonly ChangedText[];
}

/** A failure of the model is no judgment: then the rules have decided. */
export interface JudgeAnswer {
  judgment?: Judgment;
  warning?: string;
}

/** Of a change that a model reads. */
const longestText = 40_000;
const maxTokens = 8000;
const answerMs = 60_000;

const role = {
  task:
    "You read changes of web pages for a monitor and decide whether a change matters to the goal of its user. Lines that begin " +
    "with - were on the page before, lines that begin with + are there now.",
  answer:
    "A change matters only if it is about what the goal asks for. Dates, counters, advertisements and wording that leave what the " +
    "goal asks for as it was do not matter.",
};

const schema = {
  type: "object",
  properties: {
    meaningful: { type: "boolean", description: "Whether the change matters to the goal" },
    confidence: { type: "string", enum: ["low", "medium", "high"], description: "How sure that is" },
    reason: { type: "string", description: "Why, in one sentence" },
    meaningfulChanges: {
      type: "array",
      description:
        "The changes that matter, each copied word for word from the diff; none when the change does not matter",
      items: {
        type: "object",
        properties: {
          before: { type: ["string", "null"], description: "Text of a line that begins with -; null when only added" },
          after: { type: ["string", "null"], description: "Text of a line that begins with +; null when only removed" },
          reason: { type: "string", description: "Why it matters, in one sentence" },
        },
        required: ["before", "after", "reason"],
      },
    },
  },
  required: ["meaningful", "confidence", "reason"],
};

export async function judgeChange(
  model: LanguageModel,
  asked: JudgedChange,
  signal: AbortSignal,
): Promise<JudgeAnswer> {
  const { teamId, keyId, goal, url, text, changed } = asked;
  const use = await model.open({ teamId, keyId, signal, endsAt: performance.now() + answerMs });
  const words = use.buildPrompt({
    task: `The goal of the user: ${goal}\nDoes this change matter to the goal?`,
    pages: [{ url, text: text.slice(0, longestText) }],
    query: goal,
    maxTokens,
    role,
  });
  const answer = await use.fill(words, {
    schema,
    check: (value) =>
      typeof (value as Judgment | null)?.meaningful === "boolean"
        ? []
        : [{ path: ["meaningful"], kind: "wrong", message: "must be true or false" }],
  });
  if (!answer.ok) return { warning: modelWarning(answer, "The rules decided.") };
  const { meaningful, confidence, reason = "", meaningfulChanges } = answer.value as Partial<Judgment>;
  const changes = meaningful ? meaningfulOf(meaningfulChanges, changed, reason) : [];
  const isSure = confidence === "high" || confidence === "medium";
  const judgment = { meaningful: meaningful === true, confidence: isSure ? confidence : ("low" as const), reason };
  return { judgment: { ...judgment, meaningfulChanges: changes } };
}
