import type { PageFormat } from "./page-format.ts";
import { answerFromText, joinTexts, withinTokens } from "./text-answers.ts";

const nothingAbout = "The language model found nothing about this on the page.";

export const highlights: PageFormat<"highlights"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make({ query, maxTokens = null }, context) {
    const shown = (passages: readonly { text: string }[]) => joinTexts(withinTokens(passages, maxTokens, query));
    return answerFromText(context, {
      output: "highlights",
      ask: (use, page) => use.quoteFromPages([page], query),
      shown: ({ passages }) => ({
        outputs: { highlights: shown(passages) },
        warnings: passages.length === 0 ? [nothingAbout] : [],
      }),
      request: { wantsSummary: false, queries: [query] },
      found: ({ passages: [best = []] }) => shown(best),
    });
  },
};
