// What every search provider is: it says what it can express, and answers an outcome; it never throws for what a service does.
import type { Clock } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import type { Operator } from "../query/express-query.ts";
import type { TimeRange } from "../query/time-range.ts";

export type { TimeUnit } from "../query/time-range.ts";
export type ProviderSource = "web" | "news" | "images";

/** What `tbs` asks for. Without `recent` the range is asked for in days. */
export type ProviderTime = TimeRange;

export interface ProviderRequest {
  /** The query, its operators already rewritten to those that the provider supports. */
  text: string;
  limit: number;
  source: ProviderSource;
  timeFilter: ProviderTime | null;
  /** Two letters, or the English name. */
  country?: string | undefined;
  /** Such as `de` or `pt-BR`. */
  language?: string | undefined;
  /** A country, or "city,region,country". */
  location?: string | undefined;
  safe?: boolean | undefined;
  /** Hosts; the provider adds them to the question, the text does not name them. */
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

export interface ProviderResult {
  /** Of the page, http or https. */
  url: string;
  /** Plain text, "" when unknown, as the description. */
  title: string;
  description: string;
  /** Milliseconds since 1970, null when unknown. */
  published: number | null;
  /** The date in the provider's words ("3 days ago"), "" when it names none. */
  date: string;
  imageUrl?: string;
  imageWidth?: number;
  imageHeight?: number;
}

export interface ProviderFailure {
  ok: false;
  /** One sentence that names the provider, without keys. */
  cause: string;
  /** Whether asking again later may help. */
  retry: boolean;
  /** Of the provider's answer, when there was one. */
  status?: number;
}

export interface ProviderAnswer {
  ok: true;
  results: ProviderResult[];
  /** The provider itself kept to the time asked for (D17); true as well when none was. */
  appliedTime: boolean;
  warnings: string[];
}

export type ProviderOutcome = ProviderAnswer | ProviderFailure;

export interface SearchProvider {
  name: string;
  supports: {
    /** Operators whose effect can be trusted. */
    operators: ReadonlySet<Operator>;
    /** Operators worth sending, as they help even where they cannot be trusted; those above among them. */
    understood: ReadonlySet<Operator>;
    sources: ReadonlySet<ProviderSource>;
    timeRange: "none" | "preset" | "custom";
    maxPerCall: number;
  };
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderOutcome>;
}

export interface ProviderDeps {
  net: Pick<Net, "fetch">;
  clock: Clock;
}
