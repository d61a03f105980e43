// What the playground sends: one of its forms filled in, or any request as it is. Links, its history and other pages hand it over.
import type { AnswerOf } from "../api/queries.ts";

export type Body = Record<string, unknown>;
export type FormName = NonNullable<NonNullable<AnswerOf<"readRequest">["sent"]>["form"]>;

export interface PlayRequest {
  /** `request`: the body has the method, the path and the body of any request. */
  operation: FormName | "request";
  body: Body;
}

interface PlayKind {
  name: string;
  /** Shown first, in this order. */
  common: readonly string[];
}

export const playKinds: Readonly<Record<PlayRequest["operation"], PlayKind>> = {
  scrape: { name: "Scrape", common: ["url", "formats", "onlyMainContent", "maxAge"] },
  startCrawl: { name: "Crawl", common: ["url", "limit", "maxDiscoveryDepth", "includePaths"] },
  startBatch: { name: "Batch", common: ["urls", "formats"] },
  map: { name: "Map", common: ["url", "search", "limit"] },
  search: { name: "Search", common: ["query", "limit", "sources"] },
  startExtract: { name: "Extract", common: ["urls", "prompt", "schema"] },
  parse: { name: "Parse", common: ["formats"] },
  startAgent: { name: "Agent", common: ["prompt", "urls", "schema"] },
  request: { name: "Any request", common: [] },
};

export const playNames = Object.values(playKinds).map(({ name }) => name);

export function operationNamed(name: string | null): PlayRequest["operation"] {
  const found = Object.entries(playKinds).find(([, kind]) => kind.name === name);
  return (found?.[0] ?? "scrape") as PlayRequest["operation"];
}

export const unfilledBody = (operation: PlayRequest["operation"]): Body =>
  operation === "request" ? { method: "POST", path: "/v2/scrape", body: {} } : {};

/** A link to the same form, with its values in the URL. */
export function playLink({ operation, body }: PlayRequest): string {
  return `/dashboard/playground?${new URLSearchParams({ kind: playKinds[operation].name, body: JSON.stringify(body) })}`;
}

/** Longer ones are refused as headers are. */
const maxLinkLength = 8000;

export function shortLink(request: PlayRequest): string {
  const link = playLink(request);
  return link.length > maxLinkLength ? "/dashboard/playground" : link;
}

interface HandedOver extends PlayRequest {
  /** Sent at once. No link can say so: links come from anywhere. */
  isRun: boolean;
}

export const playState = (play: HandedOver) => ({ play });

/** From the page before, else from the URL. */
export function readHandedOver(): HandedOver {
  const { play } = (window.history.state ?? {}) as { play?: HandedOver };
  if (play) return play;
  const query = new URLSearchParams(window.location.search);
  const operation = operationNamed(query.get("kind"));
  const body = parsed(query.get("body") ?? "");
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return { operation, body: isObject ? (body as Body) : unfilledBody(operation), isRun: false };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const historyPlace = "trawl-playground";
const mostRuns = 20;

export interface PastRun extends PlayRequest {
  at: number;
}

export function readHistory(): PastRun[] {
  const list = parsed(localStorage.getItem(historyPlace) ?? "");
  return Array.isArray(list) ? (list as PastRun[]).filter(({ operation }) => operation in playKinds) : [];
}

/** Latest first; the same request once. */
export function withRun(runs: readonly PastRun[], run: PastRun): PastRun[] {
  const same = (each: PastRun) =>
    JSON.stringify([each.operation, each.body]) === JSON.stringify([run.operation, run.body]);
  const next = [run, ...runs.filter((each) => !same(each))].slice(0, mostRuns);
  try {
    localStorage.setItem(historyPlace, JSON.stringify(next));
  } catch {
    // The browser keeps nothing for this page: the list lasts as long as the page is open.
  }
  return next;
}
