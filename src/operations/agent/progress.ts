// What an agent with a model has done so far, and where it may go from there: made of what its tasks left behind, so that
// another process can go on at any step.
import { failed } from "../../jobs/index.ts";
import { pageKey } from "../extract/extract-pages.ts";
import type { ActionRecord, ExtractionRecord, ReadRecord, StepRecord } from "../extract/extraction-records.ts";
import type { ExtractionSettings } from "../jobs/job-settings.ts";

export interface Progress {
  steps: StepRecord[];
  actions: ActionRecord[];
  pages: ReadRecord[];
  credits: number;
  tokens: number;
  /** Keys of pages that steps asked for, whatever came of them. */
  asked: Set<string>;
  /** How many pages were begun, those opened in a browser included. */
  begun: number;
}

export interface Address {
  url: string;
  /** What the link or result says. */
  text: string;
  /** 0: named by the caller or found by a search, else found on a page (D16). */
  depth: number;
}

export function progressOf(all: readonly ExtractionRecord[]): Progress {
  const steps = all.filter((record) => record.kind === "step");
  const actions = all.filter((record) => record.kind === "action");
  const pages = all.filter((record) => record.kind === "page");
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    steps,
    actions,
    pages,
    credits: sum([...pages, ...actions].map(({ credits }) => credits)),
    tokens: sum([...steps, ...actions].map(({ tokens }) => tokens)),
    asked: new Set(steps.flatMap(({ tool, urls = [] }) => (tool === "scrape" ? urls.map(pageKey) : []))),
    begun: sum(steps.map(({ tool, urls = [] }) => (tool === "scrape" || tool === "act" ? urls.length : 0))),
  };
}

/** By their keys. Whatever a model or a page says, no other address is asked for. */
export function knownAddresses({ urls, agent }: ExtractionSettings, progress: Progress): Map<string, Address> {
  const known = new Map<string, Address>();
  const add = (address: Address) => {
    const key = pageKey(address.url);
    if (!known.has(key)) known.set(key, address);
  };
  for (const url of urls) add({ url, text: "given by the user", depth: 0 });
  if (agent?.strictConstrainToURLs) return known;
  for (const { tool, links } of progress.actions) {
    for (const link of links) add({ ...link, depth: tool === "search" ? 0 : 1 });
  }
  for (const { links = [] } of progress.pages) for (const link of links) add({ ...link, depth: 1 });
  return known;
}

export const leftSite = failed("EXTERNAL_LINK", "The page leads to another site.");

/** Of the addresses that are known: an agent goes nowhere else. */
export async function isOfKnownSite(known: ReadonlyMap<string, Address>, url: string): Promise<boolean> {
  const { siteOf } = await import("../../discovery/index.ts");
  const site = siteOf(new URL(url));
  return [...known.values()].some((address) => siteOf(new URL(address.url)) === site);
}

/** Of all known addresses those that were not asked for yet. */
export function unread(known: ReadonlyMap<string, Address>, { asked }: Progress): Address[] {
  return [...known].flatMap(([key, address]) => (asked.has(key) ? [] : [address]));
}

export async function bestAddresses({ words }: ExtractionSettings, addresses: readonly Address[]): Promise<Address[]> {
  const { rank } = await import("../../discovery/index.ts");
  return rank(
    addresses.map((address) => ({ ...address, title: address.text })),
    words,
  );
}

export const stepKey = (number: number) => `step-${number}`;
/** Of what a step asks for, unless it is pages known by their URLs. */
export const actionKey = (number: number) => `action-${number}`;
