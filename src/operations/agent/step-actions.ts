// The tasks of a step that read no page: a search, the list of a site's URLs, an extract of what was read so far.

import { prices } from "../../accounts/index.ts";
import { createTrace, secondMs } from "../../base/index.ts";
import type { PageEnding, StepRecord } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { AgentStep, ReadProgress } from "./agent-progress.ts";
import type { PlannedAnswer } from "./planned-answer.ts";
import { findStep, type StepEndings } from "./step-records.ts";

type ActionStep = AgentStep<"action">;
type Asked = Partial<StepRecord>;

const longestLink = 300;
/** URLs of a site that are kept. */
const mappedLinks = 200;
const mapMs = 60 * secondMs;

export function createStepActions(
  { jobs: { finder } }: OperationParts,
  readProgress: ReadProgress,
  answer: PlannedAnswer,
  endings: StepEndings,
) {
  async function search(step: ActionStep, { query = "" }: Asked): Promise<PageEnding> {
    const trace = createTrace();
    const { found, warnings } = await finder.ofQuery(step, query, trace);
    if (step.signal.aborted) return { kind: "released" };
    const links = found.map(({ url, title, description }) => ({
      url,
      text: `${title} ${description}`.trim().slice(0, longestLink),
    }));
    const credits = links.length > 0 ? prices.searchTen : 0;
    const done = { tool: "search" as const, input: { query }, links, credits, tokens: 0, steps: trace.steps };
    return endings.ofAction(step, done, warnings);
  }

  async function map(step: ActionStep, { query = "", urls: [url = ""] = [] }: Asked): Promise<PageEnding> {
    const { wanted, signal } = step;
    const trace = createTrace();
    const words = query === "" ? wanted.words : query;
    const listed = await finder
      .ofSite({ ...step, wanted: { ...wanted, words } }, url, trace, mapMs, {})
      .catch((error: unknown) => {
        if (signal.aborted) throw error;
        return null;
      });
    const { allowed } = await finder.siftByRobots(step, new URL(url), listed?.links ?? []);
    if (signal.aborted) return { kind: "released" };
    const links = allowed.slice(0, mappedLinks).map((link) => ({
      url: link.url,
      text: (link.title ?? "").slice(0, longestLink),
    }));
    const input = { url, ...(query === "" ? {} : { query }) };
    const credits = links.length > 0 ? prices.map : 0;
    const done = { tool: "map" as const, input, links, credits, tokens: 0, steps: trace.steps };
    return endings.ofAction(step, done, listed?.warnings ?? ["The site's URLs could not be listed."]);
  }

  async function extract(step: ActionStep, model: LanguageModel): Promise<PageEnding> {
    const progress = await readProgress(step);
    const { answer: filled, tokens } = await answer.fill(step, model, progress);
    if (step.signal.aborted) return { kind: "released" };
    const input = { pages: progress.pages.length };
    const done = { tool: "extract" as const, input, links: [], credits: 0, tokens, steps: [], answer: filled };
    return endings.ofAction(step, done, []);
  }

  return async function act(step: ActionStep, model: LanguageModel): Promise<PageEnding> {
    const asked = findStep(await readProgress(step), step.task.step);
    if (asked.tool === "search") return search(step, asked);
    return asked.tool === "map" ? map(step, asked) : extract(step, model);
  };
}
