import type { PageFormat } from "./page-format.ts";
import { answerFromText } from "./text-answers.ts";

export const summary: PageFormat<"summary"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make: (_format, context) =>
    answerFromText(context, {
      output: "summary",
      ask: (use, page) => use.summarisePages([page]),
      shown: (answer, use) => ({ outputs: { summary: answer.summary }, warnings: use.doubtsAbout("summary", answer) }),
      request: { wantsSummary: true, queries: [] },
      found: (answer) => answer.summary,
    }),
};
