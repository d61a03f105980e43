// What a dialect is: a table of rows, each of which reads a foreign request, calls operations, and writes the foreign answer; and
// the shape of its errors. A dialect fetches, searches and stores nothing by itself, and sees no request of the framework.
import * as z from "zod";
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { DialectName } from "../../config.ts";
import type {
  CrawlTerms,
  EndpointGroup,
  OperationInput,
  OperationOutput,
  Operations,
  ParseTerms,
  RateGroup,
  ResultPart,
  ScrapeTerms,
  UploadedFile,
} from "../../contract/index.ts";
import type { Cause, Fault } from "./cause.ts";

type Called = "map" | "watchCrawl" | "readCrawl" | "cancelCrawl" | "listCrawlErrors" | "readScrape";
type Asked<Name extends "search" | "scrape" | "parse" | "startCrawl", Terms> = (
  input: OperationInput<Name> & Terms,
  caller: Caller,
  signal: AbortSignal,
) => Promise<OperationOutput<Name>>;

export interface DialectOperations extends Pick<Operations<Caller>, Called> {
  search: Asked<"search", { part?: ResultPart }>;
  scrape: Asked<"scrape", ScrapeTerms>;
  parse: Asked<"parse", ParseTerms>;
  startCrawl: Asked<"startCrawl", CrawlTerms>;
  sendFeedback(
    input: Omit<OperationInput<"sendFeedback">, "endpoint"> & { endpoint: "search" | "scrape" | "map" | "crawl" },
    caller: Caller,
  ): Promise<OperationOutput<"sendFeedback">>;
  /** What a scrape or parse of the team was told to keep; null for one without it, and for others. */
  readScrapeNote(input: OperationInput<"readScrape">, caller: Caller): Promise<string | null>;
}

/** A text's share of what a query asks for. */
export interface RankedText {
  index: number;
  /** 0, when they have no word in common, to 1. */
  score: number;
}

export interface DialectTools {
  operations: DialectOperations;
  /** Whether a language model is configured. */
  hasModel: boolean;
  /** Texts by how well they fit a query, best first: as the local index ranks pages. */
  rankTexts(query: string, texts: readonly string[]): Promise<RankedText[]>;
  /** What a file is, by its bytes, name and type; null when nothing says so. */
  detectFile(file: UploadedFile): { kind: string; mimeType: string; isPlain: boolean } | null;
  /** A picture or file that a document links to; null when it has expired. */
  readMedia(url: string): Promise<Buffer | null>;
  /** Throws for a URL that is invalid, or that no page may be read of. */
  requireAllowedUrl(url: string): URL;
  now(): number;
}

/** One call of a row. */
export interface DialectCall extends DialectTools {
  caller: Caller;
  signal: AbortSignal;
}

export interface DialectRequest<Fields> {
  fields: Fields;
  /** In lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The rest of the path, decoded, or as it was sent and with its query where the row says so; '' where the path has none. */
  rest: string;
  /** What a row takes that is sent a file; a raw body without a name has ''. */
  file: UploadedFile | null;
  /** How many files were sent; `file` is the first. */
  fileCount: number;
}

export interface DialectAnswer {
  /** 200 unless given. */
  status?: number;
  /** JSON unless given. */
  type?: string;
  /** An object, a text, or pieces of a stream. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Fields that had no effect in this request, besides those that the row's schema does not have. */
  ignored?: readonly string[];
  warning?: string | null | undefined;
}

export interface DialectRow {
  method: "GET" | "POST" | "PUT";
  /** Methods that are answered alike, without being documented. */
  alsoMethods?: readonly ("PUT" | "PATCH" | "DELETE")[];
  /** As in the endpoint table; all mean the same. */
  paths: readonly string[];
  /** Names it in OpenAPI. */
  name: string;
  summary: string;
  /** The query belongs to the rest of the path, which is a URL. */
  restHasQuery?: boolean;
  /** Null: no key is needed. */
  rateGroup: RateGroup | null;
  /** What a key must be allowed to use; that of the dialect unless given. */
  group?: EndpointGroup;
  /** Query and body as one object; a strict one. Fields that it does not have are ignored and named. */
  request: z.ZodType;
  /** How the body travels: JSON or a form; as the file itself; as a form with a file. */
  takes?: "file" | "form";
  response: z.ZodType;
  responseType?: string;
  answer(request: DialectRequest<never>, call: DialectCall): Promise<DialectAnswer>;
}

interface RowDetails<Schema extends z.ZodType>
  extends Omit<DialectRow, "method" | "paths" | "name" | "summary" | "request" | "rateGroup" | "answer"> {
  /** No fields unless given. */
  request?: Schema;
  /** That of scrapes unless given. */
  rateGroup?: RateGroup | null;
  answer(request: DialectRequest<z.output<Schema>>, call: DialectCall): Promise<DialectAnswer>;
}

/** Keeps the types of a row's fields while hiding them in the table. `route`: the method, then one or more paths. */
export function dialectRow<Schema extends z.ZodType = z.ZodObject>(
  route: `${DialectRow["method"]} /${string}`,
  name: string,
  summary: string,
  details: RowDetails<Schema>,
): DialectRow {
  const [method, ...paths] = route.split(" ") as [DialectRow["method"], ...string[]];
  return { rateGroup: "scrape", request: z.strictObject({}), ...details, method, paths, name, summary };
}

/** A row that answers 501, with a sentence about what there is instead. */
export function unservedRow(
  route: `${DialectRow["method"]} /${string}`,
  name: string,
  sentence: string,
  alsoMethods: DialectRow["alsoMethods"] = [],
  group?: EndpointGroup,
): DialectRow {
  return dialectRow(route, name, "Not available: answers 501", {
    ...(group ? { group } : {}),
    alsoMethods,
    rateGroup: "status",
    request: z.looseObject({}),
    response: z.unknown(),
    async answer() {
      throw new ServiceError("NOT_IMPLEMENTED", sentence);
    },
  });
}

export interface Dialect {
  name: DialectName;
  /** Of its section in the documentation. */
  tag: string;
  /** Whether a path, without its query, belongs to this dialect. */
  owns(path: string): boolean;
  /** What a key must be allowed to use for its rows. */
  group: EndpointGroup;
  rows: readonly DialectRow[];
  /** Where a cause has another status here. */
  statuses?: Partial<Readonly<Record<Cause, number>>>;
  /** The key may be in a JSON body as `api_key`. */
  hasKeyInBody?: boolean;
  /** The body of an error: JSON, or plain text. */
  failure(fault: Fault): object | string;
  failureSchema: z.ZodType;
}

/** Paths at or below a prefix. */
export function below(prefix: string): (path: string) => boolean {
  return (path) => path === prefix || path.startsWith(`${prefix}/`);
}
