// A format that is a thing of a known kind, whose form is fixed: read from the page's data and text where the tree is, and where they
// show none, made of what a language model says. Each is a file of this folder; its name, output and price are its row in
// `contract/fields/formats`.
import type { FoundThing } from "../findings/finding.ts";
import type { ParsedPage } from "../page/parsed-page.ts";

export type ToldData = Record<string, unknown>;

export interface ThingFormat<Thing extends object = object> {
  /** Null when the page has none. */
  read(page: ParsedPage, url: string): FoundThing<Thing> | null;
  /** The schema that a language model fills; `fromData` makes the thing of it. */
  schema: Record<string, unknown>;
  /** Null when the data lack what makes the thing. */
  fromData(data: ToldData, url: string): Thing | null;
}

export const textSchema = { type: "string" };
export const amountSchema = { type: "number" };
export const currencySchema = { type: "string", description: "ISO 4217 code of the prices" };

export function listSchema(properties: Record<string, unknown>, required: string[]) {
  return { type: "array", items: { type: "object", properties, required } };
}

export function rowsIn(value: unknown): ToldData[] {
  return Array.isArray(value) ? value.filter((row): row is ToldData => typeof row === "object" && row !== null) : [];
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
