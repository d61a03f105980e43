import { refusesInjection } from "../../contract/index.ts";
import type { PageAnswers } from "../answers/page-answers.ts";
import type { PageFailure } from "../record/page-reading.ts";
import { askerOf } from "./asker.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { Parsed } from "./parse-content.ts";

export interface InjectionChecked {
  /** Who looked for prompt injections and found none; null where that was not asked for. */
  injectionCheck: { by: "rules" | "model"; warnings: string[] } | null;
}

const notAsked: InjectionChecked = { injectionCheck: null };
const byRules: InjectionChecked = { injectionCheck: { by: "rules", warnings: [] } };
const byModel: InjectionChecked = { injectionCheck: { by: "model", warnings: [] } };

/** Refuses a page that attacks a language model, where that is asked for. Rules come first; they cost nothing. */
export function createInjectionStage(answers: Pick<PageAnswers, "judge">) {
  return (page: EnteredPage & Parsed): StageResult<InjectionChecked> | Promise<StageResult<InjectionChecked>> => {
    const { content, request } = page;
    if (!content || !refusesInjection(request.options)) return notAsked;
    const { injections = [], markdown = "" } = content.result;
    if (injections.length > 0) return injected(injections);
    return request.plan.isJudged ? judge(markdown, page) : byRules;
  };

  async function judge(text: string, page: EnteredPage): Promise<StageResult<InjectionChecked>> {
    const judgement = await answers.judge({ url: page.page.finalUrl, text }, askerOf(page), page.trace);
    page.signal.throwIfAborted();
    if (!judgement) return byRules;
    if ("warning" in judgement) return { injectionCheck: { by: "rules", warnings: [judgement.warning] } };
    if (judgement.quotes.length === 0) return byModel;
    return injected(judgement.quotes.map((text) => ({ kind: "judged", where: "text", text })));
  }
}

function injected(places: readonly { kind: string; where: string; text: string }[]): PageFailure {
  return { ok: false, code: "SCRAPE_PROMPT_INJECTION_DETECTED", details: { count: places.length, places } };
}
