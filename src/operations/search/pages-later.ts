// Pages of results that are read after the search has answered: a batch, so that they survive a restart. Each page has an id under
// which a scrape is read.
import type { Caller } from "../../accounts/index.ts";
import { bareUrl, basicAuthorization, newId } from "../../base/index.ts";
import type { OperationOutput, ScrapeOptions } from "../../contract/index.ts";
import { pagePrice, scrapeRecord } from "../../pages/index.ts";
import type { ResultGroups } from "../../search/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

type ScrapeIds = NonNullable<OperationOutput<"search">["scrapeIds"]>;

/** Ids in the order of the results; null where a result is not read: images, and URLs that may not be asked for. */
export async function readLater(
  { clock, checkUrl, jobs }: OperationParts,
  { groups, options, most }: { groups: ResultGroups; options: ScrapeOptions; most: number },
  caller: Caller,
): Promise<ScrapeIds> {
  const results = [...(groups.get("web") ?? []), ...(groups.get("news") ?? [])];
  const urls = [...new Set(results.map(({ url }) => url))].filter((url) => "url" in checkUrl(url));
  const ids = new Map(urls.map((url) => [url, newId(clock.now())]));
  const [first] = urls;
  if (first !== undefined) await start(first);
  return Object.fromEntries(
    [...groups].map(([source, found]) => [
      source,
      found.map(({ url }) => (source === "images" ? null : (ids.get(url) ?? null))),
    ]),
  );

  async function start(url: string): Promise<void> {
    const credentials: Record<string, string> = {};
    const tasks = urls.map((text, index) => {
      const authorization = basicAuthorization(new URL(text));
      if (authorization !== null) credentials[index] = authorization;
      return { key: String(index), url: bareUrl(text), depth: 0, kind: "page" as const, step: null, id: ids.get(text) };
    });
    const { profile } = options;
    // All pages are read at the same time, and only one of them could save the profile.
    const scrapeOptions = profile ? { ...options, profile: { ...profile, saveChanges: false } } : options;
    await jobs.starter.start<"batch">(
      {
        settings: { kind: "batch", url: bareUrl(url), scrapeOptions, credentials, baseUrl: caller.baseUrl },
        webhook: undefined,
        target: "",
        isUnlisted: true,
        pageLimit: tasks.length,
        maxActive: most,
        delayMs: 0,
        tasks,
        warning: null,
        limits: { pagePrice: pagePrice(options) },
        join: (statements, jobId, now) => {
          const { teamId } = caller;
          return statements.scrapes.insert(
            [...ids.values()].map((id) => scrapeRecord({ id, teamId }, null, { jobId }, now)),
          );
        },
      },
      // The key is the search's.
      { ...caller, idempotencyKey: null },
    );
  }
}
