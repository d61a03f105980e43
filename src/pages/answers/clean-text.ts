// onlyCleanContent: a text without the boilerplate that rules left in it. The model can only remove lines; if it
// fails, or removes everything, the text stays as it is.

import type { Trace } from "../../base/index.ts";
import type { ModelFailure, ModelUse } from "../../llm/index.ts";
import { estimateTokens, modelWarning } from "../../text/index.ts";

export interface CleanText {
  text: string;
  warnings: string[];
  failure: ModelFailure | null;
}

/** Share of the text that must be left: with less, the model has removed content, too. */
const leastShare = 0.1;

export async function withoutBoilerplate(
  use: ModelUse,
  page: { url: string; text: string },
  trace: Trace,
): Promise<CleanText> {
  const asItIs = (warning: string, failure: ModelFailure | null = null) => {
    return { text: page.text, warnings: [warning], failure };
  };
  if (estimateTokens(page.text) > use.contextTokens) {
    return asItIs("onlyCleanContent was left out: the text is too long for the language model.");
  }
  const cleaned = await trace.run(
    "clean",
    () => use.cleanLines(page),
    (answer) => ({
      outcome: answer.ok ? `${answer.removed} lines left out` : answer.code,
      detail: { model: use.name, tokens: use.tokensUsed() },
    }),
  );
  if (!cleaned.ok) return asItIs(modelWarning(cleaned, "The text was not cleaned."), cleaned);
  if (cleaned.text.length < page.text.trim().length * leastShare) {
    return asItIs("onlyCleanContent was left out: the language model would have removed almost all of the text.");
  }
  return { text: cleaned.text, warnings: [], failure: null };
}
