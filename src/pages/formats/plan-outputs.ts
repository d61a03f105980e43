// Which of the outputs and options that a caller may ask for can be had here, decided before anything is fetched.
import { ServiceError } from "../../base/index.ts";
import { type AttributeQuery, type ContentFormats, findBadSelector } from "../../content/index.ts";
import type { Format, ScrapeOptions } from "../../contract/index.ts";
import type { ReaderInput } from "../../extraction/index.ts";

const contentOutputs = new Set(["markdown", "html", "rawHtml", "links", "images", "attributes"]);
/** Made of the page's own data and text, with a language model where one is configured. */
const answerOutputs = new Set(["json", "summary", "question", "highlights", "query"]);
/** Made of the page's bytes, its picture, or what it was before. */
const pageOutputs = new Set(["screenshot", "rawBase64", "changeTracking"]);

/** Accepted for the sake of clients that always send them, answered without the field (D19). */
const leftOut = new Set(["product", "menu", "audio", "video"]);

type FormatOf<Type extends Format["type"]> = Extract<Format, { type: Type }>;

/** Outputs that are made after the content was read. */
export interface AnswerPlan {
  json: FormatOf<"json"> | null;
  summary: boolean;
  question: string | null;
  /** The answer is to be made of the page's own sentences. */
  isQuoted: boolean;
  highlights: string | null;
  /** The text was only read to answer from it. */
  hidesMarkdown: boolean;
}

export interface OutputPlan {
  formats: ContentFormats;
  /** What data to look for on the page; null: none. */
  reader: ReaderInput | null;
  /** Null when nothing of the kind was asked for. */
  answers: AnswerPlan | null;
  /** The data whose changes are followed; null: only those of the text, if any. */
  tracked: ReaderInput | null;
  /** Name of the language model that outputs are made with; null: none is configured, or none of them needs one. */
  model: string | null;
  /** Nothing may leave this server, so that the model is not asked; what it said before may be served. */
  isLocked: boolean;
  /** Whether the model is to remove leftover boilerplate. */
  isCleaned: boolean;
  /** Sentences about what was asked for and will not be there. */
  warnings: string[];
}

const nothingToClean = "onlyCleanContent has no effect: no output is made of the markdown that it cleans.";

type Path = readonly (string | number)[];

/**
 * Throws 501 for what this server cannot do and 400 for a selector that nobody can. `modelName`: of the configured model; `at`:
 * where the options stand in the request.
 */
export function planOutputs(options: ScrapeOptions, modelName: string | null = null, at: Path = []): OutputPlan {
  for (const format of options.formats) {
    if ([contentOutputs, answerOutputs, pageOutputs, leftOut].some((outputs) => outputs.has(format.type))) continue;
    throw new ServiceError("FORMAT_NOT_AVAILABLE", `The output ${format.type} is not available on this server.`);
  }
  if (options.onlyCleanContent && modelName === null) {
    throw new ServiceError("MODEL_NOT_CONFIGURED", "onlyCleanContent needs a language model, and none is configured.");
  }
  checkSelectors(options, at);
  const answers = answerPlan(options.formats, modelName !== null);
  const formats = contentFormats(options.formats);
  if (answers?.hidesMarkdown) formats.markdown = true;
  const json = answers?.json ? readerInput(answers.json) : null;
  const tracked = trackedData(options.formats, json, at);
  const isCleaned = options.onlyCleanContent && formats.markdown;
  const model = answers || tracked || isCleaned ? modelName : null;
  const made = { reader: json ?? tracked, answers, tracked, model, isLocked: options.lockdown, isCleaned };
  const uncleaned = options.onlyCleanContent && !isCleaned ? [nothingToClean] : [];
  return { formats, ...made, warnings: [...leftOutWarnings(options), ...uncleaned] };
}

/** A page is looked through once, so its data and their changes are the same data. */
function trackedData(formats: readonly Format[], json: ReaderInput | null, at: Path): ReaderInput | null {
  const place = formats.findIndex((format) => format.type === "changeTracking" && format.modes.includes("json"));
  const tracking = formats[place];
  if (tracking?.type !== "changeTracking") return null;
  const own = tracking.schema || tracking.prompt ? readerInput(tracking) : null;
  const refuse = (message: string) =>
    new ServiceError("BAD_REQUEST", undefined, {
      details: [{ code: "custom", path: [...at, "formats", place, "schema"], message }],
    });
  if (own && json && JSON.stringify(own) !== JSON.stringify(json)) {
    throw refuse("changeTracking in the mode json takes the same schema and prompt as the output json, or none");
  }
  const tracked = own ?? json;
  if (!tracked) throw refuse("changeTracking in the mode json takes a schema or a prompt");
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
    throw new ServiceError("BAD_REQUEST", undefined, {
      details: [{ code: "too_big", path: [...at, "includeTags"], message }],
    });
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
  throw new ServiceError("BAD_REQUEST", undefined, {
    details: [{ code: "invalid_selector", path: pathOf(selectors.indexOf(bad.selector)), message }],
  });
}

function contentFormats(formats: readonly Format[]): ContentFormats {
  const has = (type: Format["type"]) => formats.some((format) => format.type === type);
  const queries: AttributeQuery[] = formats.flatMap((format) => (format.type === "attributes" ? format.selectors : []));
  // The same question twice would only be answered twice.
  const attributes = [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()];
  return {
    markdown: has("markdown"),
    html: has("html"),
    rawHtml: has("rawHtml"),
    links: has("links"),
    images: has("images"),
    outlinks: false,
    attributes,
  };
}

export function readerInput({ schema, prompt }: { schema?: unknown; prompt?: string | null | undefined }): ReaderInput {
  return { schema: (schema as ReaderInput["schema"] | undefined) ?? null, prompt: prompt ?? null };
}

function answerPlan(formats: readonly Format[], hasModel: boolean): AnswerPlan | null {
  if (!formats.some(({ type }) => answerOutputs.has(type))) return null;
  const find = <Type extends Format["type"]>(type: Type) =>
    formats.find((format): format is FormatOf<Type> => format.type === type) ?? null;
  const summary = find("summary") !== null;
  const asked = formats.find((format) => format.type === "question" || format.type === "query");
  const question = (asked?.type === "question" ? asked.question : asked?.prompt) ?? null;
  const highlights = find("highlights")?.query ?? null;
  const json = find("json");
  const needsText = summary || question !== null || highlights !== null || (hasModel && json !== null);
  const hidesMarkdown = needsText && find("markdown") === null;
  const isQuoted = asked?.type === "query" && asked.mode === "directQuote";
  return { json, summary, question, isQuoted, highlights, hidesMarkdown };
}

function leftOutWarnings(options: ScrapeOptions): string[] {
  const names = [
    ...options.formats.map((format) => format.type).filter((type) => leftOut.has(type)),
    ...(options.redactPII === false ? [] : ["redactPII"]),
    ...(options.threatProtection === undefined ? [] : ["threatProtection"]),
    ...(options.proxy === "enhanced" ? ["proxy enhanced"] : []),
  ];
  return [
    ...(names.length === 0 ? [] : [`Not available here and left out: ${names.join(", ")}.`]),
    ...(options.fastMode && options.waitFor > 0 ? ["waitFor has no effect with fastMode."] : []),
    ...contestedFields(options.formats).map((name) => `Several formats fill ${name}: only the first is answered.`),
  ];
}

/** Fields of a document that several different formats are to fill. */
function contestedFields(formats: readonly Format[]): string[] {
  return Object.entries(filledBy).flatMap(([name, types]) => {
    const asked = formats.filter(({ type }) => types.includes(type)).map((format) => JSON.stringify(format));
    return new Set(asked).size > 1 ? [name] : [];
  });
}

const filledBy: Record<string, readonly string[]> = {
  json: ["json"],
  answer: ["question", "query"],
  highlights: ["highlights"],
  changeTracking: ["changeTracking"],
};
