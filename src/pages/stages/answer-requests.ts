import type { Document } from "../../contract/index.ts";
import type { AnsweredPage, PageAnswers } from "../answers/page-answers.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { askerOf } from "./asker.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Parsed, ParsedContent } from "./parse-content.ts";
import type { DocumentOpened } from "./read-document.ts";
import type { DocumentWritten } from "./write-document.ts";

export interface Answered {
  answered: AnsweredPage;
}

type Needs = EnteredPage & DocumentOpened & Parsed & DocumentWritten;

/** Makes the outputs that are made from the finished page: data, summaries, answers, clean markdown. */
export function createAnswerStage(answers: Pick<PageAnswers, "add">) {
  return (page: Needs): Answered | Promise<Answered> => {
    const { content, document, request } = page;
    if (!content) return { answered: unanswered(document) };
    if (!isPlainPlan(request.plan)) return answer(page, content);
    if (!showsMarkdown(page)) delete document.markdown;
    return { answered: withFile(unanswered(document), page) };
  };

  async function answer(page: Needs, { mayAskModel }: ParsedContent): Promise<Answered> {
    const { document, findings, request, trace, signal } = page;
    const { finding, places } = findings;
    const isSettled = !mayAskModel;
    const asked = { document, finding, places, isSettled, plan: request.plan, asker: askerOf(page), trace };
    const answered = await answers.add(asked);
    signal.throwIfAborted();
    return { answered: withFile(answered, page) };
  }
}

/** Whether nothing is made from the finished page. */
export function isPlainPlan({ answers, tracked, isCleaned }: OutputPlan): boolean {
  return answers.length === 0 && !tracked && !isCleaned;
}

/** False where the markdown was made only for the language model. */
function showsMarkdown({ request: { plan, options } }: Needs): boolean {
  return !(plan.isJudged || plan.isNamed) || options.formats.some(({ type }) => type === "markdown");
}

function unanswered(document: Document): AnsweredPage {
  return { document, foundText: document.markdown ?? "", tracked: null, isFinal: true };
}

function withFile(answered: AnsweredPage, { opened }: DocumentOpened): AnsweredPage {
  if (opened && !opened.isFinal) answered.isFinal = false;
  return answered;
}
