// One page of a team's jobs of a kind, the newest first.
import { cutPage, readCursor } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { OperationParts } from "./operation-parts.ts";

export async function pageOfJobs(
  { store, clock }: Pick<OperationParts, "store" | "clock">,
  kind: "crawl" | "batch",
  { cursor, status, limit }: OperationInput<"listCrawls">,
  teamId: string,
) {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  // One extra row tells whether there is another page.
  const rows = await store.jobs.pageOfKind({ kind, teamId, status, before, now: clock.now(), limit: limit + 1 });
  return cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
}
