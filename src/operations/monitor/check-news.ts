// What a check has to tell: its pages without those that are the same, and without changes that the judge takes for noise.
import type { MonitorCheck, Store } from "../../store/index.ts";
import { diffText } from "./check-events.ts";
import { factsOf } from "./check-pages.ts";

const mostPages = 500;

export async function listNews(
  { checkPages }: Pick<Store, "checkPages">,
  check: Pick<MonitorCheck, "id">,
  showsDiffs: boolean,
) {
  const statuses = ["changed", "new", "removed", "error"] as const;
  const found = await checkPages.list(check.id, { skip: 0, limit: mostPages, statuses });
  return found.flatMap((page) => {
    const facts = factsOf(page);
    const { url, status, error } = page;
    const hasDiff = showsDiffs && (status === "changed" || status === "new");
    if (status === "changed" && !facts.isMeaningful) return [];
    return [{ url, status, diff: hasDiff ? diffText(facts) : "", reason: facts.judgment?.reason ?? "", error }];
  });
}
