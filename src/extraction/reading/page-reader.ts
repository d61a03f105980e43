// Runs in the content pool's threads: reads from one page's tree what a schema or a prompt asks for.
import { type PageSource, readLooseJson } from "../../content/index.ts";
import { wordsAround } from "../fields/fields.ts";
import type { PageFinding } from "../findings/finding.ts";
import type { FoundThings, ThingName } from "../findings/things.ts";
import { singular } from "../lexicon/names.ts";
import { Chooser } from "../methods/choose.ts";
import { rankEntities } from "../methods/entity-choice.ts";
import { readOnlyThing } from "../methods/only-thing.ts";
import { readList } from "../methods/repeated.ts";
import { isProperties, typesOfThing } from "../page/entities.ts";
import { ParsedPage } from "../page/page.ts";
import { readWanted } from "../schema/wanted.ts";
import { readMenu } from "../things/menu.ts";
import { readProduct } from "../things/product.ts";
import { readEverything, readPrompt } from "./without-schema.ts";

/** What is wanted of a page. Neither: the structured data that the page offers. */
export interface ReaderInput {
  /** Checked by `Extractor.checkSchema` before. */
  schema: Record<string, unknown> | null;
  prompt: string | null;
  /** Things to read in their own forms. */
  things?: readonly ThingName[];
  /** Nothing else is wanted. */
  onlyThings?: boolean;
}

export function readPage(source: PageSource, input: ReaderInput): PageFinding {
  const finding = input.onlyThings ? { found: null } : readData(source, input);
  return input.things ? { ...finding, things: readThings(source, input.things) } : finding;
}

function readThings(source: PageSource, names: readonly ThingName[]): FoundThings {
  const page = new ParsedPage(source, names);
  const product = names.includes("product") ? readProduct(page, source.url) : null;
  const menu = names.includes("menu") ? readMenu(page, source.url) : null;
  return { ...(product ? { product } : {}), ...(menu ? { menu } : {}) };
}

function readData(source: PageSource, { schema, prompt }: ReaderInput): PageFinding {
  const wanted = schema ? readWanted(schema) : null;
  const page = new ParsedPage(source, wanted ? wordsAround(wanted).map(singular) : []);
  if (source.kind === "json") addDocument(page, source);
  if (!wanted) return { found: prompt ? readPrompt(page, prompt) : readEverything(page) };
  if (wanted.kind === "list") {
    return { found: readList(page, wanted, page.entities) ?? readOnlyThing(page, wanted, source.url) };
  }
  if (wanted.kind !== "object") return { found: null };
  const found = new Chooser(page).object(wanted, rankEntities(page, wanted), []);
  const [list, ...others] = wanted.fields;
  if (found || list?.kind !== "list" || others.length > 0) return { found };
  const only = readOnlyThing(page, list, source.url);
  return { found: only && { kind: "object", fields: { [list.name]: only } } };
}

/** A page that is JSON describes what its objects are. */
function addDocument(page: ParsedPage, { text }: PageSource): void {
  const value = readLooseJson(text);
  for (const one of (Array.isArray(value) ? value : [value]).slice(0, 1000)) {
    if (!isProperties(one)) continue;
    page.entities.push({
      method: "page-state",
      types: [...typesOfThing(one), "Document"],
      properties: one,
      element: page.text.root,
    });
  }
}
