// What is found on one page for a wanted schema, and the answer that is made of one page or several.

/** How a value was found, in the order of trust. */
export type FindingMethod =
  | "json-ld"
  | "microdata"
  | "rdfa"
  | "page-state"
  | "meta"
  | "table"
  | "definition-list"
  | "label"
  | "named-element"
  | "heading"
  | "repeated-block"
  | "pattern"
  | "title";

/** Where a value is on its page. */
export interface Place {
  /** `model`: a language model read it in the text. */
  method: FindingMethod | "model";
  /** CSS selector of the element, for data in scripts the script's. */
  selector: string;
  /** The text as the page has it, before it was turned into the wanted type. */
  text: string;
  /** 0..1 */
  confidence: number;
  /** Of its page, where it is known better than by the page it was read from. */
  url?: string;
  /** Of a file that has pages: the page from 1, and the box on it in points from the top left. */
  page?: number;
  bbox?: [x0: number, y0: number, x1: number, y1: number];
}

/** A value with its place, or parts that have one each. All of it can be sent between threads and stored as JSON. */
export type Found =
  | { kind: "value"; value: string | number | boolean; place: Place }
  | { kind: "object"; fields: Record<string, Found> }
  | { kind: "list"; items: Found[] };

/** A thing in its own form, such as a product. */
export interface FoundThing<Thing extends object = object> {
  thing: Thing;
  /** Parts of it that were left out because there are too many. */
  leftOut: number;
}

/** An item of a list page. */
export interface LinkedItem {
  title: string;
  /** Absolute. */
  url: string | null;
  /** ISO 8601: a day, or a day and a time. */
  date: string | null;
  summary: string;
  image: string | null;
}

/** What the reader gives for one page: null when nothing was found. */
export interface PageFinding {
  found: Found | null;
  /** Present when things were requested. */
  things?: Partial<Record<string, FoundThing>>;
  /** Present when they were requested. */
  linkedItems?: LinkedItem[];
  /** The values were found by rules that were learned before. */
  isRuled?: boolean;
  /** The rules that were learned from the page. */
  learned?: object;
  /** What the page says about places of its host. */
  observation?: object;
}

export interface Evidence extends Omit<Place, "method"> {
  url: string;
  /** "model": a language model said so, and the text was found on the page. */
  method: FindingMethod | "model";
}

export interface FilledData {
  /** Valid against the schema, except for required fields that were not found and may not be null: those are absent. */
  data: unknown;
  /** Path of a field ("offers[0].price") -> where the value was found; one entry for each value in `data`. */
  evidence: Record<string, Evidence>;
  /** Path of a field without places in lists ("offers.price") -> URLs of the pages its values come from. */
  sources: Record<string, string[]>;
  /** Paths of wanted fields without a value. */
  missing: string[];
  /** A sentence for the caller: what was not found, what of it is required, what was left out. */
  warning?: string;
}
