// Types only: what each served operation takes and answers, derived from the rows of the table. Operations speak v2;
// v1 rows translate, and `Mistranslated` names those whose translation does not fit.
import type { z } from "zod";
import type { dashboardEndpoints } from "../endpoints/dashboard.ts";
import type { Endpoint, StoppableName } from "../table/endpoint.ts";
import type { UnservedName } from "../table/unserved.ts";
import type { v1DeprecatedEndpoints } from "../v1/deprecated.ts";
import type { endpoints } from "./all-endpoints.ts";

type Row = (typeof endpoints)[number];
/** Rows that never reach an operation. */
type IdleRow = Extract<Row, { operation: UnservedName } | { refusal: string }>;
/** Rows of features that only v1 has: their operations speak v1. */
type OwnV1Row = (typeof v1DeprecatedEndpoints)[number];
/** Rows that only translate for the operation of another row. */
type V1Row = Exclude<Extract<Row, { path: `/v1/${string}` | `/r/${string}` }>, IdleRow | OwnV1Row>;
type V2Row = Exclude<Row, V1Row | IdleRow>;

type Simplify<Type> = { [Key in keyof Type]: Type[Key] };
type Part<From, Key extends string> = From extends { [Name in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : unknown;

/** A parsed request: query, body and params as one object. */
type RowRequest<From> = Simplify<Part<From, "query"> & Part<From, "body"> & Part<From, "params">>;

type RowInput<From> = From extends { toInput: (request: never, given: never) => infer Input }
  ? Input
  : RowRequest<From>;
type RowResponse<From> = From extends { response: infer Schema extends z.ZodType } ? z.output<Schema> : never;

export type OperationName = V2Row["operation"];

type RowOf<Name extends OperationName> = Extract<V2Row, { operation: Name }>;
export type OperationInput<Name extends OperationName> = RowInput<RowOf<Name>>;
export type OperationOutput<Name extends OperationName> = RowResponse<RowOf<Name>>;

type Sent<From, Key extends string> = From extends { [Name in Key]: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : object;

/** What callers send: the body, and the query, of the rows that have one. */
export type OperationBody<Name extends OperationName> = Simplify<Sent<Extract<RowOf<Name>, { body: unknown }>, "body">>;
export type OperationQuery<Name extends OperationName> = Simplify<
  Sent<Extract<RowOf<Name>, { query: unknown }>, "query">
>;

/** A WebSocket row's operation yields its messages one by one. */
type Answer<Name extends OperationName> =
  RowOf<Name> extends { method: "WS" } ? AsyncIterable<OperationOutput<Name>> : Promise<OperationOutput<Name>>;

/** An operation that does not stop with its caller takes no signal. */
type Signal<Name extends OperationName> = Name extends StoppableName ? [signal: AbortSignal] : [];

/**
 * The functions that do the work, by name: one for each operation that is not listed as unserved. `Caller` is whatever the
 * faces say about who asks.
 */
export type Operations<Caller> = {
  [Name in OperationName]: (input: OperationInput<Name>, caller: Caller, ...signal: Signal<Name>) => Answer<Name>;
};

type Misfit<From> = From extends Endpoint & { operation: infer Name extends OperationName; path: infer Path }
  ? RowInput<From> extends OperationInput<Name>
    ? From extends { toResponse: (answer: infer Taken) => infer Made }
      ? OperationOutput<Name> extends Taken
        ? Made extends RowResponse<From>
          ? never
          : Path
        : Path
      : OperationOutput<Name> extends RowResponse<From>
        ? never
        : Path
    : Path
  : From extends { path: infer Path }
    ? Path
    : never;

/** Paths of v1 rows whose request or answer does not fit their operation; `never` when all fit. */
export type Mistranslated = Misfit<V1Row>;

type DashboardRow = (typeof dashboardEndpoints)[number];
type DashboardRowOf<Name extends DashboardOperationName> = Extract<DashboardRow, { operation: Name }>;

export type DashboardOperationName = DashboardRow["operation"];
export type DashboardInput<Name extends DashboardOperationName> = RowRequest<DashboardRowOf<Name>>;
export type DashboardOutput<Name extends DashboardOperationName> = RowResponse<DashboardRowOf<Name>>;

/** One function for each row of the dashboard. */
export type DashboardOperations<Caller> = {
  [Name in DashboardOperationName]: (input: DashboardInput<Name>, caller: Caller) => Promise<DashboardOutput<Name>>;
};

// What callers inside this server may ask of an operation beside its input on the wire.

/** Which of the results that were found are wanted; the others are neither read nor charged. */
export interface ResultPart {
  offset: number;
  count: number;
  keeps?: ((result: KeptResult) => boolean) | undefined;
  /** Results whose site refuses their page stay, with the error, instead of being left out. */
  keepsBlocked?: boolean | undefined;
}

interface KeptResult {
  url: string;
  title: string;
  date?: string | undefined;
  imageUrl?: string | undefined;
}

export interface SearchTerms {
  part?: ResultPart | undefined;
  /** Services of the operator are not asked, only open sources and the local index. */
  isOpenOnly?: boolean | undefined;
}

export interface ParseTerms {
  /** Kept next to the document, for whoever inside this server reads it again. */
  note?: string | undefined;
  /** Told under which id the request is recorded, whether or not it succeeds; not told when nothing will be recorded. */
  onRecord?: ((id: string) => void) | undefined;
  /** A document with more tokens is refused after it was read, and not charged. */
  tokenBudget?: number | undefined;
}

export interface ScrapeTerms extends ParseTerms {
  /** How it is listed and charged, where not as a scrape. */
  listing?: { endpoint: "flow"; target: string } | undefined;
  /** robots.txt binds although the caller names the page. */
  obeysRobots?: boolean | undefined;
}

export interface SessionTerms {
  /** The session ends when no client drives it any more. */
  endsWithClients?: boolean | undefined;
}

export interface IndexTerms {
  /** The source of the local index for which pages are read. */
  sourceId?: string | undefined;
}

export interface CrawlTerms extends IndexTerms {
  /** Regular expressions for the hosts of pages, beside those for their paths. */
  hostPatterns?: { include: readonly string[]; exclude: readonly string[] } | undefined;
}
