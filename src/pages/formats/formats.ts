// What the rest of the room asks about the formats of a request. What is special about one is in its module and its row.
import type { ErrorCode } from "../../base/index.ts";
import type { ContentFormats } from "../../content/index.ts";
import {
  type Document,
  type Format,
  type FormatName,
  type FormatOrigin,
  type FormatsFrom,
  formats as rows,
} from "../../contract/index.ts";
import type { OutputNeeds, Page, RenderedPage } from "../../engines/index.ts";
import type { ThingName } from "../../extraction/index.ts";
import type { BrowserTasks } from "../../reach/index.ts";
import { makeText, makeThing } from "./made-elsewhere.ts";
import type { Made, MakeContext, PageFormat, UsableCopies } from "./page-format.ts";
import { pageFormats } from "./page-formats.ts";

export type Formats = readonly Format[];
type ModuleName = FormatsFrom<"answer" | "bytes" | "browser" | "history">;

const modules: { readonly [Name in ModuleName]: PageFormat<Name> } = pageFormats;

/** Formats of other rooms, as if they had a module here. */
const elsewhere: Partial<Record<FormatOrigin, PageFormat<FormatName>>> = {
  thing: {
    order: 3,
    readsText: "with a model",
    make: ({ type }, context) => makeThing(type as FormatsFrom<"thing">, context),
  },
  text: {
    order: 4,
    readsText: "always",
    make: (format, context) => makeText(format as Extract<Format, { type: FormatsFrom<"text"> }>, context),
  },
};
const nothingSpecial: PageFormat<FormatName> = {};

/** The module of a format, whose functions take just this format. */
function moduleOf({ type }: Format): PageFormat<FormatName> {
  const own: object | undefined = type in modules ? modules[type as ModuleName] : undefined;
  return own ?? elsewhere[rows[type].madeFrom] ?? nothingSpecial;
}

export function isFrom({ type }: Format, ...origins: readonly FormatOrigin[]): boolean {
  return origins.includes(rows[type].madeFrom);
}

export function fieldOf({ type }: Format): string {
  return Object.keys(rows[type].returns)[0] ?? type;
}

const contentNames = Object.keys(rows).filter((name) => rows[name as FormatName].madeFrom === "content");
const noContent = Object.fromEntries([...contentNames, "outlinks"].map((name) => [name, false])) as object;

/** What the content room is to make for all of them. Of a format that is there twice, lists of options are put together. */
export function askedOfContent(formats: Formats): ContentFormats {
  const all: Record<string, unknown> = { ...noContent };
  for (const { type, ...options } of formats.filter((format) => isFrom(format, "content"))) {
    const hasOptions = Object.keys(options).length > 0;
    all[type] = hasOptions ? mergeOptions(all[type], options) : true;
  }
  return all as unknown as ContentFormats;
}

function mergeOptions(before: unknown, options: object): object {
  if (typeof before !== "object" || before === null) return options;
  const lists = Object.entries(before).map(([name, value]) => {
    const more = (options as Record<string, unknown>)[name];
    return [name, Array.isArray(value) && Array.isArray(more) ? distinct([...value, ...more]) : value];
  });
  return Object.fromEntries(lists);
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Those that are made from the finished page, in the order in which they are made. The first format of a field counts. */
export function answeredFormats(formats: Formats): Format[] {
  const answered = formats.filter((format) => moduleOf(format).make !== undefined);
  const fields = answered.map(fieldOf);
  return answered
    .filter((format, place) => fields.indexOf(fieldOf(format)) === place)
    .sort((one, other) => makeOrder(one) - makeOrder(other));
}

export function makeOrder(format: Format): number {
  return moduleOf(format).order ?? 0;
}

export function makeFormat(format: Format, context: MakeContext): Promise<Made> {
  return moduleOf(format).make?.(format, context) ?? Promise.resolve({ outputs: {} });
}

export function asksOnce(format: Format): boolean {
  return moduleOf(format).asksOnce === true;
}

export function usesExtractor(format: Format): boolean {
  return moduleOf(format).usesExtractor === true;
}

/** The data that it wants to be looked for; null: none. */
export function wantedData(format: Format) {
  return moduleOf(format).wants?.(format) ?? null;
}

export function readsText(format: Format, hasModel: boolean): boolean {
  const { readsText: when } = moduleOf(format);
  return when === "always" || (when === "with a model" && hasModel);
}

export function thingNames(formats: Formats): ThingName[] {
  return formats.filter((format) => isFrom(format, "thing")).map(({ type }) => type as FormatsFrom<"thing">);
}

/** The outputs that are paid for on top of the page. */
export function paidOutputs(formats: Formats): Set<FormatName> {
  return new Set(formats.flatMap((format) => paidAs(format) ?? []));
}

function paidAs(format: Format): FormatName | null {
  const { paidAs: as } = moduleOf(format);
  if (as) return as(format);
  return rows[format.type].credits > 0 ? format.type : null;
}

/** What they need of the engine that fetches the page. */
export function outputNeeds(formats: Formats): OutputNeeds {
  const browser = formats.filter((format) => isFrom(format, "browser")).map(({ type }) => type);
  return { browser: [...new Set(browser)], isRaw: formats.some((format) => isFrom(format, "bytes")) };
}

/** What a browser does for them before the page is closed. */
export function browserTasks(formats: Formats): BrowserTasks {
  const tasks = formats.flatMap((format) => moduleOf(format).browserTasks?.(format) ?? []);
  return {
    screenshots: tasks.flatMap(({ screenshots = [] }) => screenshots),
    scripts: Object.assign({}, ...tasks.map(({ scripts }) => scripts)),
    network: tasks.find(({ network }) => network !== undefined)?.network,
  };
}

/** The error of the first format that has one for servers without a browser. */
export function errorWithoutBrowser(formats: Formats): { name: FormatName; code: ErrorCode } | null {
  for (const format of formats) {
    const { withoutBrowser: code } = moduleOf(format);
    if (code) return { name: format.type, code };
  }
  return null;
}

/** The copies that can serve all of them. */
export function usableCopies(formats: Formats): UsableCopies {
  const each = formats.map((format) => moduleOf(format).copies?.(format) ?? "any");
  if (each.includes("none")) return "none";
  return each.includes("documents") ? "documents" : "any";
}

/** What is made from the page itself: from its bytes, or from a browser's view of it. */
export function outputsFromPage(
  formats: Formats,
  page: Page | RenderedPage,
  media: { put(picture: Buffer): string },
): Partial<Document> {
  const put = (picture: Buffer) => media.put(picture);
  return Object.assign({}, ...formats.map((format) => moduleOf(format).fromPage?.(page, put)));
}

/** Fields of a document that several different formats are to fill. */
export function contestedFields(formats: Formats): string[] {
  const byField = new Map<string, Set<string>>();
  for (const format of formats.filter((one) => isFrom(one, "answer", "thing", "text", "history"))) {
    const field = fieldOf(format);
    byField.set(field, (byField.get(field) ?? new Set()).add(JSON.stringify(format)));
  }
  return [...byField].flatMap(([field, asked]) => (asked.size > 1 ? [field] : []));
}
