// What a verb gets: its words, its flags, and the request that the flags of its operation make.
import type { Target } from "./open-service.ts";
import type { OutputFlags } from "./page-output.ts";

/** Flags that verbs have besides the fields of their operations. */
export interface OwnFlags extends Target, OutputFlags {
  pretty?: boolean;
  format?: string[];
  schema?: string;
  prompt?: string;
  screenshot?: string;
  wait?: boolean | string;
  progress?: boolean;
  role?: string;
  tools?: string;
  to?: string;
  removeStrays?: boolean;
  keep?: string;
  check?: boolean;
  name?: string;
  /** Of a key: what it is limited to. */
  endpoints?: string;
  formats?: string;
  expires?: string;
  ips?: string;
  credits?: string;
  follow?: boolean;
  /** Of secrets. */
  host?: string[];
  totp?: boolean;
  limit?: string;
  subdomains?: boolean;
  /** Of monitors: how they are described in few words. */
  cron?: string;
  schedule?: string;
  timezone?: string;
  page?: string;
  scrapeUrls?: string[];
  crawlUrl?: string;
  queries?: string[];
  searchWindow?: string;
  maxResults?: string;
  includeDomains?: string[];
  excludeDomains?: string[];
  webhookUrl?: string;
  webhookEvents?: string[];
  email?: string[];
  retentionDays?: string;
  goal?: string;
  offset?: string;
  state?: string;
  pageStatus?: string;
}

export interface ShownVerb {
  name: string;
  summary: string;
  /** As `--name`. */
  flags: string[];
}

export interface Invocation {
  words: string[];
  flags: OwnFlags;
  request: Record<string, unknown>;
  /** Of this program. */
  version: string;
  /** All verbs, for those who show them. */
  describeVerbs(): Promise<ShownVerb[]>;
}

export type Run = (invocation: Invocation) => Promise<void>;
