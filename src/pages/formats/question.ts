import type { PageFormat } from "./page-format.ts";
import { answerQuestion } from "./text-answers.ts";

export const question: PageFormat<"question"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make: (format, context) => answerQuestion(context, format.question),
};
