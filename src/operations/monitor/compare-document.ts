// What a document of a page means for its monitor: new, changed, the same, removed or an error.

import { withoutFragment } from "../../base/index.ts";
import type { ChangeRules, Document } from "../../contract/index.ts";
import { urlKey } from "../../jobs/index.ts";
import { type Comparer, createComparer, type Version } from "../../monitors/index.ts";
import type { LanguageModel } from "../../pages/index.ts";
import type { Job, Store } from "../../store/index.ts";
import type { FoundPage } from "./check-pages.ts";
import { judgeChange } from "./judge-change.ts";
import { comparesFieldsOnly, type WatchedTarget } from "./watched-targets.ts";

export interface Comparison {
  job: Pick<Job, "teamId" | "keyId">;
  target: WatchedTarget;
  comparer: Comparer;
  /** Null when no model decides. */
  judge: { model: LanguageModel; goal: string } | null;
  signal: AbortSignal;
}

export interface DocumentInHand {
  document: Document;
  depth: number;
  at: number;
}

type KnownVersions = Awaited<ReturnType<Store["versions"]["find"]>>;

const goneStatuses = new Set([404, 410]);
/** What is kept of a page's text. */
const longestText = 4 * 1024 * 1024;

export function openComparer(rules: ChangeRules | null): Promise<Comparer> {
  return createComparer(rules ?? {});
}

export function keyOfDocument({ metadata }: Document): string {
  return urlKey(metadata.sourceURL ?? metadata.url ?? "");
}

export async function compareDocument(
  comparison: Comparison,
  { document, depth, at }: DocumentInHand,
  known: KnownVersions,
): Promise<{ page: FoundPage; warning: string | null }> {
  const { target } = comparison;
  const { metadata } = document;
  const key = keyOfDocument(document);
  const earlier = known.get(key);
  const statusCode = metadata.statusCode ?? 200;
  const shared = {
    key,
    url: withoutFragment(metadata.sourceURL ?? metadata.url ?? ""),
    previousScrapeId: earlier?.scrapeId ?? null,
    currentScrapeId: metadata.scrapeId ?? null,
    statusCode,
    error: null,
    version: null,
    isJudged: false,
  };
  const shown = shownMetadata(metadata);
  if (statusCode >= 400) {
    const status =
      goneStatuses.has(statusCode) && earlier ? (earlier.state === "present" ? "removed" : "same") : "error";
    const error = status === "error" ? `The page's server answered ${statusCode}.` : null;
    return {
      page: { ...shared, status, error, facts: { metadata: shown, isMeaningful: status === "removed" } },
      warning: null,
    };
  }
  const version: Version = { text: (document.markdown ?? "").slice(0, longestText), json: document.json ?? null, at };
  const snapshot = version.json === null ? {} : { snapshot: { json: version.json } };
  const kept = { content: JSON.stringify(version), depth };
  if (!earlier || earlier.state === "removed") {
    const facts = { metadata: shown, isMeaningful: true, ...snapshot };
    return { page: { ...shared, status: "new", version: kept, facts }, warning: null };
  }
  const before: Version = JSON.parse(earlier.content);
  const byFields = target.type !== "search" && comparesFieldsOnly(target.scrapeOptions);
  const change = comparison.comparer.compare(before, version, byFields);
  if (!change.isChanged) {
    const next = change.keepsEarlier ? null : kept;
    const facts = { metadata: shown, isMeaningful: false, ...snapshot };
    return { page: { ...shared, status: "same", version: next, facts }, warning: null };
  }
  const verdict = comparison.judge ? await judge(comparison, comparison.judge, shared.url, change.diff) : null;
  const judgment = verdict && "judgment" in verdict ? verdict.judgment : null;
  const facts = {
    metadata: shown,
    isMeaningful: judgment?.meaningful ?? true,
    ...(judgment ? { judgment } : {}),
    ...(change.diff ? { diff: change.diff } : {}),
    ...snapshot,
  };
  const warning = verdict && "warning" in verdict ? verdict.warning : null;
  return { page: { ...shared, status: "changed", version: kept, facts, isJudged: judgment !== null }, warning };
}

function judge(
  { job, signal }: Comparison,
  { model, goal }: NonNullable<Comparison["judge"]>,
  url: string,
  diff: { text?: string; json?: unknown } | null,
) {
  const fields = diff?.json ? `\n\nFields:\n${JSON.stringify(diff.json)}` : "";
  const text = `${diff?.text ?? ""}${fields}`;
  return judgeChange(model, { teamId: job.teamId, keyId: job.keyId, goal, url, text }, signal);
}

function shownMetadata({ title, description, url, statusCode, contentType, scrapeId }: Document["metadata"]) {
  return { title, description, url, statusCode, contentType, scrapeId };
}
