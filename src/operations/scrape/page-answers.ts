// Outputs that are made of a page's data and text where no language model is: every value and every sentence stands on the page,
// and a warning says so.
import type { ContentRequest } from "../../content/index.ts";
import type { Document } from "../../contract/index.ts";
import type { PageFinding, Passage, ReaderInput, TextAnswer } from "../../extraction/index.ts";
import type { LazyExtraction } from "../extract/lazy-extraction.ts";
import type { AnswerPlan } from "./outputs.ts";

export type PageAnswers = ReturnType<typeof createPageAnswers>;

export interface TrackedData {
  data: unknown;
  warnings: string[];
}

const tooLong = "took too long on this page and was left out.";

export function createPageAnswers(extraction: LazyExtraction) {
  /** Null when it takes too long. */
  async function fill(schema: ReaderInput["schema"], finding: PageFinding | null, url: string) {
    const { extractor } = await extraction.open();
    const pages = finding ? [{ url, finding }] : [];
    return extractor.fill({ schema, pages }).catch(() => null);
  }

  async function fillJson({ json }: AnswerPlan, finding: PageFinding | null, url: string): Promise<Partial<Document>> {
    if (!json) return {};
    const filled = await fill(json.schema ?? null, finding, url);
    if (!filled) return { warning: `The output json ${tooLong}` };
    return {
      json: filled.data,
      ...(json.evidence ? { evidence: filled.evidence } : {}),
      ...(filled.warning ? { warning: filled.warning } : {}),
    };
  }

  async function readText(plan: AnswerPlan, markdown: string): Promise<Partial<Document>> {
    const { summary: wantsSummary, question, highlights } = plan;
    const queries = [question, highlights].filter((query) => query !== null);
    if (!wantsSummary && queries.length === 0) return {};
    const { extractor, room } = await extraction.open();
    const answer = await extractor.readText({ markdown, wantsSummary, queries }).catch(() => null);
    if (!answer) return { warning: `The text ${tooLong}` };
    return { ...textOutputs(plan, answer), warning: room.noModelWarning };
  }

  return {
    /** What makes the content pool look for data while it has the page's tree. */
    async readerFor(input: ReaderInput): Promise<NonNullable<ContentRequest["reader"]>> {
      return { module: (await extraction.open()).room.pageReader, input };
    },

    /** What changes are told of; null when there is nothing to tell. */
    async readTracked({ schema }: ReaderInput, finding: PageFinding | null, url: string): Promise<TrackedData> {
      const filled = await fill(schema, finding, url);
      if (!filled) return { data: null, warnings: [`Finding the data of changeTracking ${tooLong}`] };
      return { data: filled.data, warnings: filled.warning ? [filled.warning] : [] };
    },

    /** The document with the outputs of the plan. */
    async add(document: Document, plan: AnswerPlan, finding: PageFinding | null): Promise<Document> {
      const url = document.metadata.url ?? "";
      const parts = [await fillJson(plan, finding, url), await readText(plan, document.markdown ?? "")];
      const warnings = [document, ...parts].flatMap(({ warning }) => warning ?? []);
      const { markdown, ...rest } = document;
      return {
        ...rest,
        ...(plan.hidesMarkdown || markdown === undefined ? {} : { markdown }),
        ...parts[0],
        ...parts[1],
        ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
      };
    },
  };
}

/** The answer is what the best passages say; highlights are all of them, best first. */
function textOutputs({ summary, question, highlights }: AnswerPlan, answer: TextAnswer): Partial<Document> {
  const passages = [...answer.passages];
  const asked = question === null ? [] : (passages.shift() ?? []);
  const looked = highlights === null ? [] : (passages.shift() ?? []);
  return {
    ...(summary ? { summary: answer.summary } : {}),
    ...(question === null ? {} : { answer: join(asked.slice(0, answerPassages)) }),
    ...(highlights === null ? {} : { highlights: join(looked) }),
  };
}

const answerPassages = 3;

function join(passages: readonly Passage[]): string {
  return passages.map(({ text }) => text).join("\n\n");
}
