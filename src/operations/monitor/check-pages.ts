// Writes what a check found: its pages, their new versions, events and charges, all in one transaction. A page is found once,
// however often its check was begun again.

import { prices } from "../../accounts/index.ts";
import { newId, withoutFragment } from "../../base/index.ts";
import { newEvent, urlKey } from "../../jobs/index.ts";
import {
  type CheckPage,
  counterOf,
  type Job,
  type PackedCheckPage,
  type PackedVersion,
  packCheckPage,
  packVersion,
} from "../../store/index.ts";
import { readDiff } from "../../text/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { MeaningfulChange } from "./meaningful-changes.ts";
import type { WatchedTarget } from "./watched-targets.ts";

/** What a model says about a change. */
export interface Judgment {
  meaningful: boolean;
  confidence: "high" | "medium" | "low";
  reason: string;
  meaningfulChanges: MeaningfulChange[];
}

/** What is kept of a page beside its columns. */
export interface CheckedFacts {
  metadata: Record<string, unknown>;
  judgment?: Judgment;
  isMeaningful: boolean;
  diff?: { text?: string; json?: unknown };
  snapshot?: { json: unknown };
}

/** Judgments from before the changes were named have none; the parsed diff is made of its text, which is what is kept. */
export function factsOf({ details }: Pick<CheckPage, "details">): CheckedFacts {
  const facts: CheckedFacts = JSON.parse(details);
  const { judgment, diff } = facts;
  if (judgment) facts.judgment = Object.assign({ meaningfulChanges: [] }, judgment);
  if (diff?.text && diff.json === undefined) facts.diff = { ...diff, json: readDiff(diff.text) };
  return facts;
}

export interface FoundPage extends Omit<CheckPage, "checkId" | "targetId" | "seq" | "id" | "createdAt" | "details"> {
  facts: CheckedFacts;
  /** What the next check compares with; null leaves it as it is. */
  version: { content: string; depth: number } | null;
  /** Judged by a model, which costs. */
  isJudged: boolean;
}

/** `given` says what is more than its URL. */
export function checkedPage(url: string, given: Partial<FoundPage> & Pick<FoundPage, "status" | "facts">): FoundPage {
  return {
    key: urlKey(url),
    url: withoutFragment(url),
    previousScrapeId: null,
    currentScrapeId: null,
    statusCode: null,
    error: null,
    version: null,
    isJudged: false,
    ...given,
  };
}

export interface CheckRun {
  job: Job;
  monitorId: string;
  wanted: readonly string[];
  target: WatchedTarget;
}

export interface FoundPages {
  pages: readonly FoundPage[];
  /** Pages that are known for the next check and not part of this one's result. */
  silent?: readonly FoundPage[];
  /** Results of the target's job that are compared now. */
  compared?: number;
  /** Charged once, whatever happens. */
  charge?: { id: string; credits: number; reason: string };
  warning?: string;
}

export type SaveFoundPages = ReturnType<typeof createPageWriter>;

export function createPageWriter({ store, clock }: OperationParts) {
  /** False when the check is over: then nothing is kept. */
  return async function save({ job, monitorId, wanted, target }: CheckRun, found: FoundPages): Promise<boolean> {
    const now = clock.now();
    const { id: checkId, teamId, keyId } = job;
    const ofTarget = { monitorId, targetId: target.id, state: "present" as const, seenAt: now, checkId };
    const toVersion = ({ key, url, version, currentScrapeId }: FoundPage) =>
      version ? [packVersion({ ...ofTarget, ...version, key, url, scrapeId: currentScrapeId })] : [];
    const packed: { page: FoundPage; row: PackedCheckPage; version: PackedVersion[] }[] = [];
    for (const page of found.pages) {
      const { facts, version: _, isJudged: __, ...columns } = page;
      const about = { checkId, targetId: target.id, id: newId(now), createdAt: now };
      const row = await packCheckPage({ ...columns, ...about, details: JSON.stringify(facts) });
      packed.push({ page, row, version: await Promise.all(toVersion(page)) });
    }
    const silent = await Promise.all((found.silent ?? []).flatMap(toVersion));
    return store.transaction(async (statements) => {
      const check = await statements.checks.lock(checkId);
      if (!check || check.finishedAt !== null) return false;
      const { total, same, changed, added, removed, failed } = check;
      const counts = { total, same, changed, added, removed, failed };
      let credits = check.ownCredits;
      const charge = (id: string, amount: number, reason: string) => {
        credits += amount;
        return statements.charges.charge([
          { id, teamId, keyId, jobId: checkId, endpoint: "monitor", credits: amount, reason, at: now },
        ]);
      };
      for (const { page, row, version } of packed) {
        const isNew = await statements.checkPages.add(row, counts.total);
        if (!isNew) continue;
        if (wanted.includes("page")) {
          const event = { ...newEvent(job, "page", now), result: { seq: counts.total }, error: page.error };
          await statements.webhooks.enqueue([event]);
        }
        counts.total += 1;
        counts[counterOf[page.status]] += 1;
        if (page.isJudged) await charge(row.id, prices.judgement, "judgment");
        await statements.versions.note(monitorId, target.id, [page.key], checkId);
        if (page.status === "removed") await statements.versions.setState(monitorId, target.id, [page.key], "removed");
        await statements.versions.put(version);
      }
      await statements.versions.put(silent);
      if (found.charge && found.charge.credits > 0)
        await charge(found.charge.id, found.charge.credits, found.charge.reason);
      const warning = found.warning ? { warning: found.warning } : {};
      await statements.checks.change(checkId, { ...counts, ownCredits: credits, updatedAt: now, ...warning });
      if (found.compared !== undefined)
        await statements.checks.changeTarget({ checkId, targetId: target.id }, { compared: found.compared });
      return true;
    });
  };
}
