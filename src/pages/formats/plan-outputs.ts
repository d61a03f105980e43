// Which of the requested outputs and options this server supports, decided before anything is fetched.

import { refusedField, ServiceError } from "../../base/index.ts";
import type { ContentFormats } from "../../content/index.ts";
import {
  asksModelToRead,
  type Format,
  namesPersons,
  refusesInjection,
  type ScrapeOptions,
} from "../../contract/index.ts";
import type { ReaderInput, ThingName } from "../../extraction/index.ts";
import { findBadSelector } from "../../html/index.ts";
import {
  answeredFormats,
  askedOfContent,
  contestedFields,
  isFrom,
  readsText,
  thingNames,
  usesExtractor,
  wantedData,
} from "./formats.ts";
import { readerInput } from "./page-format.ts";

export interface OutputPlan {
  formats: ContentFormats;
  /** What data to look for on the page; null: none. */
  reader: ReaderInput | null;
  /** Things to read whole. */
  things: ThingName[];
  /** Formats that are made from the finished page, in the order in which they are made. */
  answers: readonly Format[];
  /** The markdown is made for the answers alone. */
  hidesMarkdown: boolean;
  /** The data are read by an extractor of the page's host, where one fits. */
  usesExtractor: boolean;
  /** The data whose changes are followed; null: only those of the text, if any. */
  tracked: ReaderInput | null;
  /** Name of the language model that outputs are made with; null: none is configured, or none of them needs one. */
  model: string | null;
  /** Nothing may leave this server, so the model is not used; its cached answers may be served. */
  isLocked: boolean;
  /** Whether the model is to remove leftover boilerplate. */
  isCleaned: boolean;
  /** Whether the model is to judge if the page talks to models; the markdown is made for it. */
  isJudged: boolean;
  /** Whether the model is to find names of persons, which are redacted; the markdown is made for it. */
  isNamed: boolean;
  /** What to tell the caller about outputs that will be missing. */
  warnings: string[];
}

const nothingToClean = "onlyCleanContent has no effect: no output is made from the markdown that it cleans.";

type Path = readonly (string | number)[];

/** A plan that makes only these outputs of the content. */
export function plainPlan(formats: Partial<ContentFormats>): OutputPlan {
  const all = { ...askedOfContent([]), ...formats };
  const nothing = {
    reader: null,
    things: [],
    answers: [],
    hidesMarkdown: false,
    usesExtractor: false,
    tracked: null,
    model: null,
    isLocked: false,
    isCleaned: false,
    isJudged: false,
    isNamed: false,
  };
  return { formats: all, ...nothing, warnings: [] };
}

/**
 * Throws 501 for what this server cannot do and 400 for an unusable selector. `modelName`: of the configured model;
 * `at`: where the options are in the request.
 */
export function planOutputs(options: ScrapeOptions, modelName: string | null = null, at: Path = []): OutputPlan {
  if (options.onlyCleanContent && modelName === null) {
    throw new ServiceError("MODEL_NOT_CONFIGURED", "onlyCleanContent needs a language model, and none is configured.");
  }
  const readsImages = asksModelToRead(options);
  if (readsImages && modelName === null) {
    const message = "The recognizer model needs a language model, and none is configured.";
    throw new ServiceError("MODEL_NOT_CONFIGURED", message);
  }
  checkSelectors(options, at);
  const answers = answeredFormats(options.formats);
  const formats = askedOfContent(options.formats);
  const hidesMarkdown = !formats.markdown && options.formats.some((format) => readsText(format, modelName !== null));
  if (hidesMarkdown) formats.markdown = true;
  const json = answers.map(wantedData).find((input) => input !== null) ?? null;
  const tracked = trackedData(options.formats, json, at);
  const isCleaned = options.onlyCleanContent && formats.markdown;
  const mayAsk = modelName !== null && !options.lockdown;
  const isJudged = refusesInjection(options) && mayAsk;
  const isNamed = namesPersons(options) && mayAsk;
  if (isJudged || isNamed) formats.markdown = true;
  const isAnswered = answers.some((format) => !isFrom(format, "text"));
  const model = isAnswered || tracked || isCleaned || isJudged || isNamed || readsImages ? modelName : null;
  const made = {
    reader: json ?? tracked,
    things: thingNames(answers),
    answers,
    hidesMarkdown,
    usesExtractor: answers.some(usesExtractor),
    tracked,
    model,
    isLocked: options.lockdown,
    isCleaned,
    isJudged,
    isNamed,
  };
  const uncleaned = options.onlyCleanContent && !isCleaned ? [nothingToClean] : [];
  return { formats, ...made, warnings: [...leftOutWarnings(options), ...uncleaned] };
}

/** For pages whose data are gathered over several: no output shows them. The model reads the text of all pages in the end. */
export function planExtraction(
  extraction: Parameters<typeof readerInput>[0] & { keepsText?: boolean },
  options: ScrapeOptions,
  modelName: string | null = null,
): OutputPlan {
  const plan = planOutputs(options, modelName);
  const formats = { ...plan.formats, markdown: modelName !== null || extraction.keepsText === true };
  return { ...plan, formats, reader: readerInput(extraction), model: modelName };
}

/** A page is looked through once, so its data and their changes are the same data. */
function trackedData(formats: readonly Format[], json: ReaderInput | null, at: Path): ReaderInput | null {
  const place = formats.findIndex((format) => format.type === "changeTracking" && format.modes.includes("json"));
  const tracking = formats[place];
  if (tracking?.type !== "changeTracking") return null;
  const own = tracking.schema || tracking.prompt ? wantedData(tracking) : null;
  const refuse = (message: string) => refusedField([...at, "formats", place, "schema"], message);
  if (own && json && JSON.stringify(own) !== JSON.stringify(json)) {
    throw refuse("changeTracking in json mode takes the same schema and prompt as the format json, or none");
  }
  const tracked = own ?? json;
  if (!tracked) throw refuse("changeTracking in json mode takes a schema or a prompt");
  return tracked;
}

/** Of all selectors of a request together: each is compiled, and compiling costs time on the main thread. */
const maxSelectorText = 32 * 1024;

function checkSelectors(options: ScrapeOptions, at: Path): void {
  const queries = options.formats.flatMap((format) => (format.type === "attributes" ? format.selectors : []));
  const all = [...options.includeTags, ...options.excludeTags, ...queries.map(({ selector }) => selector)];
  if (all.length === 0) return;
  if (all.reduce((sum, selector) => sum + selector.length, 0) > maxSelectorText) {
    const message = `All selectors together take at most ${maxSelectorText} characters`;
    throw refusedField([...at, "includeTags"], message, "too_big");
  }
  const lists = { includeTags: options.includeTags, excludeTags: options.excludeTags };
  for (const [field, selectors] of Object.entries(lists))
    refuseBadSelector(selectors, (index) => [...at, field, index]);
  for (const [place, format] of options.formats.entries()) {
    if (format.type !== "attributes") continue;
    const selectors = format.selectors.map(({ selector }) => selector);
    refuseBadSelector(selectors, (index) => [...at, "formats", place, "selectors", index, "selector"]);
  }
}

function refuseBadSelector(selectors: readonly string[], pathOf: (index: number) => (string | number)[]): void {
  const bad = findBadSelector(selectors);
  if (!bad) return;
  const why = bad.message.replace(/^Not a CSS selector: /, "").replace(/, found $/, "");
  const message = `Takes a CSS selector, and ${JSON.stringify(bad.selector)} cannot be used as one: ${why}`;
  throw refusedField(pathOf(selectors.indexOf(bad.selector)), message, "invalid_selector");
}

/** What clients may always send and this server does not do. */
export function ignoredOptions({ threatProtection }: { threatProtection?: unknown }): string[] {
  return threatProtection === undefined ? [] : ["Not available on this server and ignored: threatProtection."];
}

function leftOutWarnings(options: ScrapeOptions): string[] {
  return [
    ...ignoredOptions(options),
    ...(options.fastMode && options.waitFor > 0 ? ["waitFor has no effect with fastMode."] : []),
    ...contestedFields(options.formats).map(
      (name) => `Several formats fill ${name}, so only the first one was returned.`,
    ),
  ];
}
