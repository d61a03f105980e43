// `trawl index`: manages the local index of a team.
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import { isoTime, ServiceError } from "../base/index.ts";
import type { OperationInput } from "../contract/index.ts";
import { readInput, UsageError, withParts } from "./command.ts";
import { followJob, tell } from "./follow-job.ts";
import type { Options } from "./options.ts";
import { print, printRows } from "./printing.ts";

export function indexStats(_words: string[], { team, json }: Options): Promise<void> {
  return withParts((parts, caller) => showIndex(parts, caller, json), team);
}

export async function indexAdd([url]: string[], { team }: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl index add needs the URL of a page or a sitemap.");
  const [start = ""] = readInput<"startBatch">("startBatch", { urls: [url], origin: "cli" }).urls;
  const inputOf = (urls: string[]) =>
    readInput<"startBatch">("startBatch", { urls, formats: ["links"], ignoreInvalidURLs: true, origin: "cli" });
  await withParts((parts, caller) => addToIndex(parts, caller, start, inputOf), team);
}

export async function indexRemove([page]: string[], { team }: Options): Promise<void> {
  if (page === undefined) throw new UsageError("trawl index remove needs the URL of a page, or a hostname.");
  await withParts((parts, caller) => removeFromIndex(parts, caller, page), team);
}

async function showIndex({ index }: Parts, { teamId, teamName }: Caller, json = false): Promise<void> {
  const { pages, hosts, textBytes, latestSeenAt } = await index.stats(teamId);
  const latest = latestSeenAt === null ? null : isoTime(latestSeenAt);
  printRows([{ team: teamName, pages, hosts, textBytes, latest }], json);
}

/** Scrapes a page, or what a sitemap lists, as a batch, with the same limits and charges. */
async function addToIndex(
  parts: Parts,
  caller: Caller,
  url: string,
  inputOf: (urls: string[]) => OperationInput<"startBatch">,
): Promise<void> {
  const { index, operations } = parts;
  if (!index.isOn) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
  const before = await index.stats(caller.teamId);
  const { urls, warnings } = await index.listPages(caller.teamId, url, new AbortController().signal);
  for (const warning of warnings) tell(warning);
  const { id } = await operations.startBatch(inputOf(urls), caller);
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
