// Makes the requested formats. The folder is the list of them.
import type { ContentFormat, HtmlPage, PlainText, ShownPage, Warn } from "./content-format.ts";
import { contentFormats } from "./content-formats.ts";

type Table = typeof contentFormats;
export type ContentFormatName = keyof Table;

type OptionsOf<Format> = Format extends ContentFormat<infer _Fields, infer Options> ? Options : never;
type FieldsOf<Format> = Format extends ContentFormat<infer Fields, infer _Options> ? Fields : never;
type Together<Shapes> = (Shapes extends unknown ? (shape: Shapes) => void : never) extends (shape: infer All) => void
  ? All
  : never;

/** The options of each requested format. */
export type AskedFormats = { [Name in ContentFormatName]?: OptionsOf<Table[Name]> | false };

export type OutputFields = Partial<Together<FieldsOf<Table[ContentFormatName]>>>;

export interface MadeOutputs extends OutputFields {
  /** By format: a sentence where the page has nothing of it. */
  empty?: Partial<Record<string, string>>;
}

type Make = (format: ContentFormat<object, unknown>, options: unknown) => object | undefined;

function makeEach(into: MadeOutputs, asked: AskedFormats, make: Make): void {
  for (const [name, options] of Object.entries(asked)) {
    const format = contentFormats[name as ContentFormatName] as ContentFormat<object, unknown> | undefined;
    const fields = format && options !== false && options !== undefined ? make(format, options) : undefined;
    if (fields === undefined) continue;
    Object.assign(into, fields);
    const empty = format?.whenEmpty?.(fields) ?? null;
    if (empty !== null) into.empty = { ...into.empty, [name]: empty };
  }
}

export function makeFromTree(into: MadeOutputs, asked: AskedFormats, page: HtmlPage, warn: Warn): void {
  makeEach(into, asked, (format, options) => format.fromTree?.(page, options, warn));
}

/** `show`: the page as visitors see it, looked for when the first format needs it. */
export function makeFromSelection(into: MadeOutputs, asked: AskedFormats, show: () => ShownPage, warn: Warn): void {
  makeEach(into, asked, (format, options) => format.fromSelection?.(show(), options, warn));
}

export function makeFromText(into: MadeOutputs, asked: AskedFormats, text: PlainText): void {
  makeEach(into, asked, (format, options) => format.fromText(text, options));
}
