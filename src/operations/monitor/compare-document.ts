// What a document of a page means for its monitor: new, changed, the same, removed or an error.

import { withoutFragment } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { urlKey } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { Comparer, Version, VersionChange } from "../../monitors/index.ts";
import type { CheckPageStatus, Job, Store } from "../../store/index.ts";
import { type CheckedFacts, checkedPage, type FoundPage } from "./check-pages.ts";
import { type JudgeAnswer, judgeChange } from "./judge-change.ts";
import { changedTexts } from "./meaningful-changes.ts";
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

export function keyOfDocument({ metadata }: Document): string {
  return urlKey(metadata.sourceURL ?? metadata.url ?? "");
}

export async function compareDocument(
  comparison: Comparison,
  { document, depth, at }: DocumentInHand,
  known: KnownVersions,
): Promise<{ page: FoundPage; warning?: string | null }> {
  const { target } = comparison;
  const { metadata } = document;
  const url = metadata.sourceURL ?? metadata.url ?? "";
  const earlier = known.get(urlKey(url));
  const { title, description, contentType, scrapeId = null, statusCode = 200 } = metadata;
  const shown = {
    title,
    description,
    url: metadata.url,
    statusCode: metadata.statusCode,
    contentType,
    scrapeId: metadata.scrapeId,
  };
  const pageOf = (status: CheckPageStatus, more: Omit<CheckedFacts, "metadata">, given: Partial<FoundPage> = {}) => {
    const ids = { previousScrapeId: earlier?.scrapeId ?? null, currentScrapeId: scrapeId };
    return checkedPage(url, { status, statusCode, ...ids, facts: { metadata: shown, ...more }, ...given });
  };
  if (statusCode >= 400) {
    const isGone = goneStatuses.has(statusCode) && earlier !== undefined;
    if (!isGone)
      return { page: pageOf("error", { isMeaningful: false }, { error: `The page's server answered ${statusCode}.` }) };
    const isNews = earlier.state === "present";
    return { page: pageOf(isNews ? "removed" : "same", { isMeaningful: isNews }) };
  }
  const version: Version = { text: (document.markdown ?? "").slice(0, longestText), json: document.json ?? null, at };
  const snapshot = version.json === null ? {} : { snapshot: { json: version.json } };
  const kept = { content: JSON.stringify(version), depth };
  if (!earlier || earlier.state === "removed") {
    return { page: pageOf("new", { isMeaningful: true, ...snapshot }, { version: kept }) };
  }
  const before: Version = JSON.parse(earlier.content);
  const byFields = target.type !== "search" && comparesFieldsOnly(target.scrapeOptions);
  const { isChanged, keepsEarlier, diff } = comparison.comparer.compare(before, version, byFields);
  if (!isChanged) {
    return { page: pageOf("same", { isMeaningful: false, ...snapshot }, { version: keepsEarlier ? null : kept }) };
  }
  const { judgment, warning = null } = await judge(comparison, url, diff);
  const facts = {
    isMeaningful: judgment?.meaningful ?? true,
    ...(judgment ? { judgment } : {}),
    ...(diff ? { diff } : {}),
    ...snapshot,
  };
  return { page: pageOf("changed", facts, { version: kept, isJudged: judgment !== undefined }), warning };
}

async function judge(
  { job, judge: asked, signal }: Comparison,
  url: string,
  diff: VersionChange["diff"],
): Promise<JudgeAnswer> {
  if (!asked) return {};
  const fields = diff?.json ? `\n\nFields:\n${JSON.stringify(diff.json)}` : "";
  const { teamId, keyId } = job;
  const text = `${diff?.text ?? ""}${fields}`;
  const change = {
    teamId,
    keyId,
    goal: asked.goal,
    url: withoutFragment(url),
    text,
    changed: changedTexts(diff ?? {}),
  };
  return judgeChange(asked.model, change, signal);
}
