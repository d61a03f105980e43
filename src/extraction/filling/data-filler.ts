// Data of pages for a schema or a prompt: first what the pages' own markup says, then, where a model is configured, its reading
// of what is missing or doubtful. Both are put together and checked against the caller's schema in one place.

import type { Trace } from "../../base/index.ts";
import type { Check, ModelFailure, OpenUse, Problem } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";
import type { FilledData, PageFinding } from "../findings/finding.ts";
import type { ProblemsRequest } from "../schema/problems.ts";
import { askByPrompt, askForData, type ModelData } from "./ask-for-data.ts";
import { createLocator, type PlacedText } from "./file-places.ts";
import type { FillRequest } from "./fill.ts";
import { findOpenParts, type OpenParts, type Schema } from "./open-parts.ts";

export interface ReadablePage {
  url: string;
  /** What the page's own data gave. */
  finding: PageFinding | null;
  /** What the model may read of it. */
  text: string;
  /** Of a file with pages: which page holds which text. */
  placed?: PlacedText | undefined;
  /** Values of a page with a higher rank count only where others have none. */
  rank?: number | undefined;
}

export interface DataRequest {
  schema: Schema | null;
  prompt: string | null;
  pages: readonly ReadablePage[];
}

export interface FilledByModel extends FilledData {
  /** Why the model's answer is missing or incomplete; a later request may get more. */
  failure: ModelFailure | null;
}

export type FillData = (request: DataRequest, open: OpenUse, trace: Trace) => Promise<FilledByModel | null>;

/** Each rejects when it takes too long. */
export interface DataFillerDeps {
  fill(request: FillRequest): Promise<FilledData>;
  problems(request: ProblemsRequest): Promise<Problem[]>;
}

/** Null when filling takes too long. */
export function createDataFiller({ fill, problems }: DataFillerDeps): FillData {
  async function fillPlain(schema: Schema | null, pages: readonly Omit<ReadablePage, "text" | "placed">[]) {
    const found = pages.flatMap(({ url, finding, rank }) => (finding ? [{ url, finding, rank }] : []));
    return fill({ schema, pages: found }).catch(() => null);
  }

  function checkFor(schema: Schema): Check {
    const tooLong = { path: [], kind: "wrong", message: "takes too long to check" } as const;
    return (value) => problems({ schema, value }).catch(() => [tooLong]);
  }

  return async ({ schema, prompt, pages }, open, trace) => {
    const plain = await fillPlain(schema, pages);
    if (!plain) return null;
    const texts = pages.filter(({ text }) => text.trim() !== "").map(({ url, text }) => ({ url, text }));
    const parts = schema && findOpenParts(schema, plain);
    const isComplete = schema ? parts === null : prompt === null;
    if (!open || texts.length === 0 || isComplete) return { ...plain, failure: null };
    const use = await open();
    const locate = createLocator(pages, use.cleanText);
    const read = await trace.run(
      "model",
      () =>
        parts
          ? askForData(use, { schema: parts.schema, prompt, pages: texts, checkFor, locate })
          : askByPrompt(use, prompt ?? "", texts, locate),
      ({ failure }) => ({
        outcome: failure ? failure.code : "answered",
        detail: { model: use.name, tokens: use.tokensUsed() },
      }),
    );
    if (read.found.length === 0) return withWarnings(plain, read);
    // By a prompt alone the model chooses the form of its answer: nothing else is mixed into it.
    const own = parts ? withoutDoubtful(pages, parts, read) : [];
    const whole = await fillPlain(schema, [...own, ...asPages(read, texts[0]?.url ?? "")]);
    return withWarnings(whole ?? plain, read);
  };
}

function asPages({ found }: ModelData, url: string): { url: string; finding: PageFinding }[] {
  return found.map((one) => ({ url, finding: { found: one } }));
}

/** The model's lists replace doubtful ones. */
function withoutDoubtful(pages: readonly ReadablePage[], { doubtful }: OpenParts, { found }: ModelData) {
  const names = new Set(found.flatMap((one) => (one.kind === "object" ? Object.keys(one.fields) : [])));
  const replaced = new Set(doubtful.filter((name) => names.has(name)));
  return pages.map(({ url, finding }) => {
    if (replaced.size === 0 || finding?.found?.kind !== "object") return { url, finding };
    const fields = Object.entries(finding.found.fields).filter(([name]) => !replaced.has(name));
    return { url, finding: { found: { kind: "object" as const, fields: Object.fromEntries(fields) } } };
  });
}

function withWarnings(filled: FilledData, { found, warnings, failure }: ModelData): FilledByModel {
  const instead = found.length > 0 ? "It did not read everything." : "The values were found without it.";
  const all = [
    ...(failure ? [modelWarning(failure, instead)] : []),
    ...warnings,
    ...(filled.warning ? [filled.warning] : []),
  ];
  return { ...filled, failure, ...(all.length > 0 ? { warning: all.join(" ") } : {}) };
}
