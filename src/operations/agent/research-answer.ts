// The answer of a run that researches: what is asked of a language model, and without one the passages that answer the question.
import type { AnswerRecord, ExtractionSettings, PageEnding } from "../../jobs/index.ts";
import { failed } from "../../jobs/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { type AgentStep, researchOf } from "./agent-progress.ts";

/** What an answer record of research holds. */
export interface ResearchData {
  /** Null when no page answers the question. */
  answer: string | null;
  sources: { url: string; quote: string }[];
  json?: unknown;
}

/** The question, and how it is to be answered. */
export function askedInWords(step: AgentStep): string {
  const { prompt, systemPrompt } = step.wanted;
  return [systemPrompt, prompt, researchOf(step)?.analysisPrompt].filter(Boolean).join("\n\n");
}

/** What is to be filled beside the answer; null: nothing. */
export function wantedJson(step: AgentStep): ExtractionSettings | null {
  const json = researchOf(step)?.json ?? null;
  return json && { ...step.wanted, schema: json.schema, prompt: json.prompt ?? step.wanted.prompt };
}

const mostPassages = 8;
const mostOfPage = 2;
const withoutModel =
  "No language model is configured (MODEL_NAME): finalAnalysis is made of the passages of pages that fit the query.";
const withoutAnswer = "The pages that were read do not answer the question.";

export function createPassageAnswer({ clock, jobs: { answerer, records } }: OperationParts) {
  return async function answer(step: AgentStep<"answer">): Promise<PageEnding> {
    const { all, pages } = await answerer.readSoFar(step);
    const usable = pages.filter(({ finding }) => finding !== null);
    if (usable.length === 0) {
      const { code, message } = await answerer.whyNothing(step);
      return failed(code, message);
    }
    // Loaded with it: an idle server does without search.
    const { rankPassages } = await import("../../search/index.ts");
    const ranked = await rankPassages(
      step.wanted.prompt ?? "",
      usable.map(({ text = "" }) => text),
    );
    const counts = new Map<number, number>();
    const best = ranked.filter(({ index }) => {
      const count = (counts.get(index) ?? 0) + 1;
      counts.set(index, count);
      return count <= mostOfPage;
    });
    const sources = best
      .slice(0, mostPassages)
      .map(({ index, text }) => ({ url: usable[index]?.url ?? "", quote: text }));
    const words = sources.map(({ url, quote }) => `${quote}\n\nSource: ${url}`).join("\n\n---\n\n");
    const data: ResearchData = { answer: words === "" ? null : words, sources };
    const wanted = wantedJson(step);
    const filled = wanted && (await answerer.fill(wanted, usable));
    if (step.signal.aborted) return { kind: "released" };
    const record: AnswerRecord = {
      kind: "answer",
      at: clock.now(),
      data: wanted ? { ...data, json: filled?.data ?? null } : data,
      sources: {},
      evidence: {},
      missing: words === "" ? ["answer"] : [],
      pages: pages.length,
      steps: all.flatMap(({ steps }) => steps),
      ...warningOf([withoutModel, words === "" ? withoutAnswer : null]),
    };
    return records.ending(step.task, step.context.job, record, { found: [], refused: [] });
  };
}
