import { describe, expect, it } from "vitest";
import { showAnswer } from "./show.ts";

describe("pages that a model reads", () => {
  const shown = (answer: Record<string, unknown>) => showAnswer(answer, { isWebContent: true, more: null });

  it("come with the number of prompt injections that were found on them", () => {
    expect(shown({ markdown: "Text", metadata: { injection: 2 } })).toContain("Prompt injections found: 2.");
    const pages = [
      { markdown: "a", metadata: { injection: 1 } },
      { markdown: "b", metadata: {} },
      { markdown: "c", metadata: { injection: 3 } },
    ];
    expect(shown({ data: pages })).toContain("Prompt injections found: 4.");
    expect(shown({ markdown: "Text", metadata: {} })).not.toContain("Prompt injections");
  });
});
