// `trawl index`: what an operator does with the own index of a team.
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import { isoTime, ServiceError } from "../base/index.ts";
import type { OperationInput } from "../contract/index.ts";
import { followJob, tell } from "./job-commands.ts";
import { print, printRows } from "./printing.ts";

export async function showIndex({ index }: Parts, { teamId, teamName }: Caller, json = false): Promise<void> {
  const { pages, hosts, textBytes, latestSeenAt } = await index.stats(teamId);
  const latest = latestSeenAt === null ? null : isoTime(latestSeenAt);
  printRows([{ team: teamName, pages, hosts, textBytes, latest }], json);
}

/** Reads a page, or what a sitemap lists, as a batch: it obeys the same limits and is charged alike. */
export async function addToIndex(
  parts: Parts,
  caller: Caller,
  url: string,
  inputOf: (urls: string[]) => OperationInput<"startBatch">,
): Promise<void> {
  const { index, operations } = parts;
  if (!index.isOn) throw new ServiceError("BAD_REQUEST", "The own index is switched off: OWN_INDEX is 0.");
  const before = await index.stats(caller.teamId);
  const { urls, warnings } = await index.listPages(caller.teamId, url, new AbortController().signal);
  for (const warning of warnings) tell(warning);
  const { id } = await operations.startBatch(inputOf(urls), caller);
  await followJob(parts, caller, id, { folder: null, json: false, isQuiet: true });
  await index.flush();
  const { pages } = await index.stats(caller.teamId);
  print(`The own index has ${pages} pages, ${pages - before.pages} more than before.`);
}

export async function removeFromIndex({ index }: Parts, { teamId }: Caller, page: string): Promise<void> {
  const removed = await index.remove(teamId, page);
  print(removed === 0 ? "No page of the own index fits." : `Removed ${removed === 1 ? "1 page" : `${removed} pages`}.`);
}
