// What performs the tasks of an agent: without a language model it goes from link to link, with one the model plans it.

import { type ActiveTask, type Ending, type JobContext, stepOf } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { PageRows } from "../../pages/index.ts";
import type { TaskKind } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openExtraction } from "../parts/page-context.ts";
import { type AgentContext, type AgentStep, agentOf, researchOf } from "./agent-progress.ts";
import { createLinkRun } from "./link-run.ts";
import { createPlannedRun } from "./planned-run.ts";
import { createPassageAnswer } from "./research-answer.ts";

type Work<Kind extends TaskKind> = ActiveTask<AgentContext, Kind>;

/** A run that researches is the same work with another answer. */
export function createAgentWork(parts: OperationParts) {
  const {
    model,
    jobs: { finder },
  } = parts;
  const linkRun = createLinkRun(parts);
  const plannedRun = createPlannedRun(parts);
  const answerInPassages = createPassageAnswer(parts);
  const answerUnplanned = (step: AgentStep<"answer">) =>
    researchOf(step) === null ? linkRun.answer(step) : answerInPassages(step);

  /** A run is planned from its first step to its answer, or not at all. */
  async function planned<Kind extends TaskKind>(
    work: Work<Kind>,
    perform: (step: AgentStep<Kind>, model: LanguageModel) => Promise<Ending<PageRows>>,
    otherwise: (step: AgentStep<Kind>) => Promise<Ending<PageRows>>,
  ): Promise<Ending<PageRows>> {
    const step = stepOf(work);
    if (!agentOf(step).planning) return otherwise(step);
    return model ? perform(step, model) : noModel;
  }

  const work = {
    open: (context: JobContext<"agent" | "research">) => openExtraction(context, model),
    tasks: {
      page: (work: Work<"page">) => planned(work, plannedRun.readPage, linkRun.readPage),
      search: (work: Work<"search">) => finder.searchWeb(stepOf(work)),
      step: (work: Work<"step">) => planned(work, plannedRun.plan, unplanned),
      action: (work: Work<"action">) => planned(work, plannedRun.act, unplanned),
      answer: (work: Work<"answer">) => planned(work, plannedRun.answer, answerUnplanned),
    },
  };
  return { agent: work, research: work };
}

/** It was there when the job was accepted. */
const noModel: Ending<PageRows> = {
  kind: "fatal",
  code: "MODEL_NOT_CONFIGURED",
  message: "This job needs a language model, and this server no longer has one (MODEL_NAME).",
};

async function unplanned(): Promise<Ending<PageRows>> {
  return { kind: "fatal", code: "INTERNAL_ERROR", message: "A run without a plan has no such task." };
}
