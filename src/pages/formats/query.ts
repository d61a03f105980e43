import type { PageFormat } from "./page-format.ts";
import { answerQuestion, quoteAnswer } from "./text-answers.ts";

/** A question under an older name: both fill `answer`, so both together are paid once. */
export const query: PageFormat<"query"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make: ({ prompt, mode }, context) =>
    mode === "directQuote" ? quoteAnswer(context, prompt) : answerQuestion(context, prompt),
  paidAs: () => "question",
};
