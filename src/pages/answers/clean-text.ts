// onlyCleanContent: a text without the boilerplate that rules left in it. The model can only remove lines; if it
// fails, or removes everything, the text stays as it is.

import type { Trace } from "../../base/index.ts";
import type { ModelFailure } from "../../llm/index.ts";
import { estimateTokens } from "../../text/index.ts";
import type { ModelUse } from "../model/language-model.ts";
import { modelWarning } from "../model/model-failure.ts";

export interface CleanText {
  text: string;
  warnings: string[];
  failure: ModelFailure | null;
}

/** Of the text that is left, of all words: less is no content without boilerplate, but another page. */
const leastShare = 0.1;

export async function withoutBoilerplate(
  use: ModelUse,
  page: { url: string; text: string },
  trace: Trace,
): Promise<CleanText> {
  const { room, contextTokens } = use;
  const asItIs = (warning: string, failure: ModelFailure | null = null) => {
    return { text: page.text, warnings: [warning], failure };
  };
  if (estimateTokens(page.text) > contextTokens) {
    return asItIs("onlyCleanContent was left out: the text is too long for the language model.");
  }
  const cleaned = await trace.run(
    "clean",
    () => room.cleanLines(use.reading([page])),
    (answer) => ({
      outcome: answer.ok ? `${answer.removed} lines left out` : answer.code,
      detail: { model: use.model.name, tokens: use.tokensUsed() },
    }),
  );
  if (!cleaned.ok) return asItIs(modelWarning(cleaned, "The text was not cleaned."), cleaned);
  if (cleaned.text.length < page.text.trim().length * leastShare) {
    return asItIs("onlyCleanContent was left out: the language model would have removed almost all of the text.");
  }
  return { text: cleaned.text, warnings: [], failure: null };
}
