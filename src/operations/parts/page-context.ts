// A job whose tasks read pages, with the outputs that are made of each page.

import type { ContextOf, JobSettings, PageContextOf, SettingsOf } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import { planExtraction, planOutputs } from "../../pages/index.ts";

/** `model` null: none is configured. */
export function openDocumentJob<Settings extends JobSettings>(
  context: ContextOf<Settings>,
  model: LanguageModel | null,
): PageContextOf<Settings> {
  return { ...context, plan: planOutputs(context.settings.scrapeOptions, model?.name) };
}

/** The data that is wanted of each page, and its text for a model that finally reads all of them. */
export function openExtraction<Settings extends SettingsOf<"extract" | "agent" | "research">>(
  context: ContextOf<Settings>,
  model: LanguageModel | null,
): PageContextOf<Settings> {
  const { extraction, scrapeOptions } = context.settings;
  return { ...context, plan: planExtraction(extraction, scrapeOptions, model?.name) };
}
