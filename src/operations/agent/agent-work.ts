// What performs the tasks of an agent: without a language model it goes from link to link, with one the model plans it.

import { type ActiveTask, type Ending, type KindOfWork, stepOf } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { PageRows } from "../../pages/index.ts";
import type { TaskKind } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openExtraction } from "../parts/page-context.ts";
import { type AgentContext, type AgentStep, agentOf } from "./agent-progress.ts";
import { createLinkRun } from "./link-run.ts";
import { createPlannedRun } from "./planned-run.ts";

type Work<Kind extends TaskKind> = ActiveTask<AgentContext, Kind>;

export function createAgentWork(parts: OperationParts): KindOfWork<"agent", AgentContext, PageRows> {
  const {
    model,
    jobs: { finder },
  } = parts;
  const linkRun = createLinkRun(parts);
  const plannedRun = createPlannedRun(parts);

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

  return {
    open: (context) => openExtraction(context, model),
    tasks: {
      page: (work) => planned(work, plannedRun.readPage, linkRun.readPage),
      search: (work) => finder.searchWeb(stepOf(work)),
      step: (work) => planned(work, plannedRun.plan, unplanned),
      action: (work) => planned(work, plannedRun.act, unplanned),
      answer: (work) => planned(work, plannedRun.answer, linkRun.answer),
    },
  };
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
