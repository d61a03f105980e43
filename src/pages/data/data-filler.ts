// Data of pages for a schema or a prompt: first what the pages' own markup says, then, where a model is configured, its reading
// of what is missing or doubtful. Both are put together and checked against the caller's schema in one place.

import type { Trace } from "../../base/index.ts";
import type { FilledData, PageFinding } from "../../extraction/index.ts";
import type { Check, ModelFailure } from "../../llm/index.ts";
import type { ModelUse } from "../model/language-model.ts";
import { modelWarning } from "../model/model-failure.ts";
import { askByPrompt, askForData, type Told } from "./ask-for-data.ts";
import { createLocator, type PlacedText } from "./file-places.ts";
import type { LazyExtraction } from "./lazy-extraction.ts";
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

/** Opens a model session for this request; null where no model may be used. */
export type OpenUse = (() => Promise<ModelUse>) | null;

export type DataFiller = ReturnType<typeof createDataFiller>;

export function createDataFiller(extraction: LazyExtraction) {
  /** Null when it takes too long. */
  async function fillPlain(schema: Schema | null, pages: readonly Omit<ReadablePage, "text" | "placed">[]) {
    const { extractor } = await extraction.open();
    const found = pages.flatMap(({ url, finding, rank }) => (finding ? [{ url, finding, rank }] : []));
    return extractor.fill({ schema, pages: found }).catch(() => null);
  }

  function checkFor(schema: Schema): Check {
    return async (value) => {
      const { extractor } = await extraction.open();
      const tooLong = { path: [], kind: "wrong", message: "takes too long to check" } as const;
      return extractor.problems({ schema, value }).catch(() => [tooLong]);
    };
  }

  return async ({ schema, prompt, pages }: DataRequest, open: OpenUse, trace: Trace): Promise<FilledByModel | null> => {
    const plain = await fillPlain(schema, pages);
    if (!plain) return null;
    const texts = pages.filter(({ text }) => text.trim() !== "").map(({ url, text }) => ({ url, text }));
    const parts = schema && findOpenParts(schema, plain);
    const isComplete = schema ? parts === null : prompt === null;
    if (!open || texts.length === 0 || isComplete) return { ...plain, failure: null };
    const use = await open();
    const locate = createLocator(pages, use.room.cleanText);
    const told = await trace.run(
      "model",
      () =>
        parts
          ? askForData(use, { schema: parts.schema, prompt, pages: texts, checkFor, locate })
          : askByPrompt(use, prompt ?? "", texts, locate),
      ({ failure }) => ({
        outcome: failure ? failure.code : "answered",
        detail: { model: use.model.name, tokens: use.tokensUsed() },
      }),
    );
    if (told.found.length === 0) return withWarnings(plain, told);
    // By a prompt alone the model chooses the form of its answer: nothing else is mixed into it.
    const own = parts ? withoutDoubtful(pages, parts, told) : [];
    const whole = await fillPlain(schema, [...own, ...asPages(told, texts[0]?.url ?? "")]);
    return withWarnings(whole ?? plain, told);
  };
}

function asPages({ found }: Told, url: string): { url: string; finding: PageFinding }[] {
  return found.map((one) => ({ url, finding: { found: one } }));
}

/** The model's lists replace doubtful ones. */
function withoutDoubtful(pages: readonly ReadablePage[], { doubtful }: OpenParts, { found }: Told) {
  const told = new Set(found.flatMap((one) => (one.kind === "object" ? Object.keys(one.fields) : [])));
  const replaced = new Set(doubtful.filter((name) => told.has(name)));
  return pages.map(({ url, finding }) => {
    if (replaced.size === 0 || finding?.found?.kind !== "object") return { url, finding };
    const fields = Object.entries(finding.found.fields).filter(([name]) => !replaced.has(name));
    return { url, finding: { found: { kind: "object" as const, fields: Object.fromEntries(fields) } } };
  });
}

function withWarnings(filled: FilledData, { found, warnings, failure }: Told): FilledByModel {
  const instead = found.length > 0 ? "It did not read everything." : "The values were found without it.";
  const all = [
    ...(failure ? [modelWarning(failure, instead)] : []),
    ...warnings,
    ...(filled.warning ? [filled.warning] : []),
  ];
  return { ...filled, failure, ...(all.length > 0 ? { warning: all.join(" ") } : {}) };
}
