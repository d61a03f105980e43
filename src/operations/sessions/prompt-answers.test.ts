// The bounds of a model's work on a page, without a browser: what it looks at and does is written down instead.
import { describe, expect, it } from "vitest";
import type { Caller } from "../../accounts/index.ts";
import * as room from "../../llm/index.ts";
import type { LanguageModel, ModelUse } from "../model/language-model.ts";
import type { SessionPrograms } from "./execute.ts";
import { createPromptAnswerer } from "./prompt-answers.ts";
import type { LiveSession } from "./session-keeper.ts";

type Fill = room.Model["fill"];

function answererOf(fill: Fill) {
  const lines: string[] = [];
  const model = { name: "test", ask: fill as never, fill } satisfies room.Model;
  const use = { model, room, contextTokens: 8000, question: (words: object) => words } as unknown as ModelUse;
  const languageModel: LanguageModel = { name: "test", open: async () => use };
  const programs = {
    run: async (_live: unknown, { code }: { code: string }) => {
      lines.push(code);
      return { stdout: '- button "Go" [ref=e1]', stderr: "" };
    },
  } as unknown as SessionPrograms;
  const answer = createPromptAnswerer(languageModel, programs);
  const ask = (timeoutSeconds = 30) =>
    answer({
      live: {} as LiveSession,
      prompt: "Go on",
      timeoutSeconds,
      caller: {} as Caller,
      signal: new AbortController().signal,
    });
  return { ask, lines };
}

const filled = (value: object) => ({
  ok: true as const,
  value,
  rung: "text" as const,
  isRepaired: false,
  isPartial: false,
  dropped: [],
  missing: [],
  tokens: { input: 1, output: 1 },
});
const unusable = {
  ok: false as const,
  code: "MODEL_ANSWER_UNUSABLE" as const,
  message: "no",
  tokens: { input: 1, output: 1 },
};

describe("a model's work on a page", () => {
  it("ends after twenty steps, each of one verb and one look", async () => {
    const { ask, lines } = answererOf(async () => filled({ tool: "click", element: 1 }));
    expect(await ask()).toMatchObject({ problem: "It was not done after 20 steps." });
    expect(lines).toHaveLength(21);
    expect(lines[1]).toMatch(/^agent-browser click @e1 ; agent-browser get url ; .* snapshot$/);
  });

  it("survives one mistake, not two in a row", async () => {
    let count = 0;
    const once = answererOf(async () => {
      count += 1;
      return count === 1 ? unusable : filled({ tool: "finish", answer: "Done." });
    });
    expect(await once.ask()).toEqual({ output: "Done.", problem: null });
    await expect(answererOf(async () => unusable).ask()).rejects.toMatchObject({ code: "MODEL_ANSWER_UNUSABLE" });
  });
});
