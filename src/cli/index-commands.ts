// `trawl index`: manages the local index of a team.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import { isoTime, ServiceError } from "../base/index.ts";
import type { OperationInput } from "../contract/index.ts";
import { numberOption, readInput, UsageError, withParts } from "./command.ts";
import { followJob, tell } from "./follow-job.ts";
import { addFiles, isOnDisk } from "./index-files.ts";
import type { Options } from "./options.ts";
import { print, printRows } from "./printing.ts";

export function indexStats(_words: string[], { team, json }: Options): Promise<void> {
  return withParts((parts, caller) => showIndex(parts, caller, json), team);
}

export async function indexAdd([place]: string[], { team, follow, limit }: Options): Promise<void> {
  if (place === undefined)
    throw new UsageError("trawl index add needs the URL of a page, sitemap or site, or a folder.");
  const isFiles = !/^https?:\/\//i.test(place) && (await isOnDisk(place));
  if (limit !== undefined && !follow) throw new UsageError("--limit is for a site that is followed: add --follow.");
  if (isFiles && follow) throw new UsageError("--follow is for sites; a folder is always added with all its folders.");
  if (isFiles) return withParts((parts, caller) => addFiles(parts, caller, place), team);
  if (follow) {
    const input = readInput<"startCrawl">("startCrawl", {
      url: place,
      ...numberOption("limit", limit),
      scrapeOptions: { formats: ["links"] },
      origin: "cli",
    });
    return withParts((parts, caller) => growIndex(parts, caller, () => startFollowing(parts, caller, input)), team);
  }
  const [start = ""] = readInput<"startBatch">("startBatch", { urls: [place], origin: "cli" }).urls;
  const inputOf = (urls: string[]) =>
    readInput<"startBatch">("startBatch", { urls, formats: ["links"], ignoreInvalidURLs: true, origin: "cli" });
  await withParts((parts, caller) => growIndex(parts, caller, () => startListed(parts, caller, start, inputOf)), team);
}

const { signal: never } = new AbortController();

export async function indexRemove([page]: string[], { team }: Options): Promise<void> {
  if (page === undefined)
    throw new UsageError("trawl index remove needs the URL of a page, a hostname, or a file or folder.");
  // What was added from disk may be gone from there.
  const isPath = /^(?:\.{0,2}\/|\.{1,2}$)/.test(page) || (!page.includes("://") && (await isOnDisk(page)));
  const named = isPath ? pathToFileURL(resolve(page)).href : page;
  await withParts((parts, caller) => removeFromIndex(parts, caller, named), team);
}

async function showIndex({ index }: Parts, { teamId, teamName }: Caller, json = false): Promise<void> {
  const { pages, hosts, textBytes, latestSeenAt } = await index.stats(teamId);
  const latest = latestSeenAt === null ? null : isoTime(latestSeenAt);
  printRows([{ team: teamName, pages, hosts, textBytes, latest }], json);
}

/** A page, or what a sitemap lists, as a batch, with the same limits and charges. */
async function startListed(
  { index, operations }: Parts,
  caller: Caller,
  url: string,
  inputOf: (urls: string[]) => OperationInput<"startBatch">,
): Promise<{ id: string }> {
  const { urls, warnings } = await index.listPages(caller.teamId, url, never);
  for (const warning of warnings) tell(warning);
  return operations.startBatch(inputOf(urls), caller);
}

/** A site, as a crawl, with its rules and pace. */
async function startFollowing(
  { operations }: Parts,
  caller: Caller,
  input: OperationInput<"startCrawl">,
): Promise<{ id: string }> {
  const started = await operations.startCrawl(input, caller, never);
  if ("id" in started) return started;
  throw new ServiceError("INTERNAL_ERROR");
}

/** Works on a job whose pages go into the index. */
async function growIndex(parts: Parts, caller: Caller, start: () => Promise<{ id: string }>): Promise<void> {
  const { index } = parts;
  if (!index.isOn) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
  const before = await index.stats(caller.teamId);
  const { id } = await start();
  await followJob(parts, caller, id, { folder: null, json: false, isQuiet: true });
  await index.flush();
  const { pages } = await index.stats(caller.teamId);
  print(`The local index has ${pages} pages, ${pages - before.pages} more than before.`);
}

async function removeFromIndex({ index }: Parts, { teamId }: Caller, page: string): Promise<void> {
  const removed = await index.remove(teamId, page);
  print(
    removed === 0 ? "No page of the local index matches." : `Removed ${removed === 1 ? "1 page" : `${removed} pages`}.`,
  );
}
