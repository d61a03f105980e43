import type { PageFormat } from "./page-format.ts";
import { answerFromText, doubtsAbout } from "./text-answers.ts";

export const summary: PageFormat<"summary"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make: (_format, context) =>
    answerFromText(context, {
      output: "summary",
      ask: (use, page) => use.room.summarisePages(use.reading([page])),
      told: (answer) => ({ outputs: { summary: answer.summary }, warnings: doubtsAbout("summary", answer) }),
      request: { wantsSummary: true, queries: [] },
      found: (answer) => answer.summary,
    }),
};
