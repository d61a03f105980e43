// `trawl index`: manages the local index of a team.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isoTime, ServiceError } from "../../base/index.ts";
import { flagNumber } from "../service/flags.ts";
import { followJob } from "../service/follow-job.ts";
import type { Invocation } from "../service/invocation.ts";
import { type Local, requireLocal, type WorkPlace, withLocal, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printRows, tell } from "../terminal/printing.ts";
import { addFiles, isOnDisk } from "./index-files.ts";

export async function indexStats({ flags: { json, ...place } }: Invocation): Promise<void> {
  await requireLocal(place, "index");
  await withLocal(place.team, (local) => showIndex(local, json));
}

export async function indexAdd({ words: [place], flags: { follow, limit, ...where } }: Invocation): Promise<void> {
  if (place === undefined)
    throw new UsageError("trawl index add needs the URL of a page, sitemap or site, or a folder.");
  const isFiles = !/^https?:\/\//i.test(place) && (await isOnDisk(place));
  if (limit !== undefined && !follow) throw new UsageError("--limit applies to a whole site only. Add --follow.");
  if (isFiles && follow) throw new UsageError("--follow is for sites. A folder is always added with its subfolders.");
  if (isFiles) return withService(where, (service) => addFiles(service, place));
  // What a page lists is found here, where the sitemaps and feeds that were read before are.
  if (!follow) await requireLocal(where, "index");
  const pages = limit === undefined ? {} : { limit: flagNumber("limit", limit) };
  await withService(where, (service) => {
    const start = follow ? () => startFollowing(service, place, pages) : () => startListed(service, place);
    return growIndex(service, follow ? "crawl" : "batch", start);
  });
}

export async function indexRemove({ words: [page], flags: place }: Invocation): Promise<void> {
  if (page === undefined)
    throw new UsageError("trawl index remove needs the URL of a page, a hostname, or a file or folder.");
  // What was added from disk may be gone from there.
  const isPath = /^(?:\.{0,2}\/|\.{1,2}$)/.test(page) || (!page.includes("://") && (await isOnDisk(page)));
  const named = isPath ? pathToFileURL(resolve(page)).href : page;
  await requireLocal(place, "index");
  await withLocal(place.team, (local) => removeFromIndex(local, named));
}

async function showIndex({ parts, caller: { teamId, teamName } }: Local, json = false): Promise<void> {
  const { pages, hosts, textBytes, latestSeenAt } = await parts.index.stats(teamId);
  const latest = latestSeenAt === null ? null : isoTime(latestSeenAt);
  printRows([{ team: teamName, pages, hosts, textBytes, latest }], json);
}

/** A page, or what a sitemap lists, as a batch, with the same limits and charges. */
async function startListed({ client, signal, local }: WorkPlace, url: string): Promise<string> {
  const { parts, caller } = local as Local;
  const request = { formats: ["links" as const], origin: "cli" };
  const { urls, warnings } = await parts.index.listPages(caller.teamId, url, signal);
  for (const warning of warnings) tell(warning);
  return (await client.startBatchScrape({ ...request, urls })).id;
}

/** A site, as a crawl, with its rules and pace. */
async function startFollowing({ client }: WorkPlace, url: string, pages: { limit?: number }): Promise<string> {
  const started = await client.startCrawl({ url, ...pages, scrapeOptions: { formats: ["links"] }, origin: "cli" });
  if ("id" in started) return started.id;
  throw new ServiceError("INTERNAL_ERROR");
}

/** Works on a job whose pages go into the index. */
async function growIndex(service: WorkPlace, kind: "crawl" | "batch", start: () => Promise<string>): Promise<void> {
  if (service.local === null) return followJob(service, { id: await start(), kind, request: "", written: 0 }, null);
  const { parts, caller } = service.local;
  const { index } = parts;
  if (!index.isOn)
    throw new ServiceError("BAD_REQUEST", "The local index is off because OWN_INDEX is 0. Set OWN_INDEX=1 to use it.");
  const before = await index.stats(caller.teamId);
  await followJob(service, { id: await start(), kind, request: "", written: 0 }, null);
  await index.flush();
  const { pages } = await index.stats(caller.teamId);
  print(`The local index has ${pages} pages, ${pages - before.pages} more than before.`);
}

async function removeFromIndex({ parts, caller }: Local, page: string): Promise<void> {
  const removed = await parts.index.remove(caller.teamId, page);
  print(
    removed === 0 ? "No page in the local index matches." : `Removed ${removed === 1 ? "1 page" : `${removed} pages`}.`,
  );
}
