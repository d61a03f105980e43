// What changed on a page since the team last asked: its markdown is compared with the snapshot of the same URL and tag,
// and then replaces it.

import { bareUrl, type Clock, isObject, isoTime, pageUrl, sha256 } from "../../base/index.ts";
import type { Document, Format, ScrapeOptions } from "../../contract/index.ts";
import { type PackedSnapshot, packSnapshot, type Store } from "../../store/index.ts";
import { diffLines, filesOf } from "../../text/index.ts";
import type { AnsweredPage } from "../answers/page-answers.ts";

type Tracking = Extract<Format, { type: "changeTracking" }>;

export interface TrackedChange {
  changeTracking?: NonNullable<Document["changeTracking"]>;
  /** None when what is kept of the page stays as it is. */
  snapshots: PackedSnapshot[];
  warnings: string[];
}

/** Longer texts are not kept, so their changes are not tracked. */
const maxSnapshotBytes = 4 * 1024 * 1024;
const firstFields =
  "changeTracking has no earlier fields of this schema or prompt to compare with: its json tells changes from the next scrape on.";
const goneStatuses = new Set([404, 410]);

export type ChangeTracker = ReturnType<typeof createChangeTracker>;

/** The format that asks for it. */
export function findTracking({ formats }: Pick<ScrapeOptions, "formats">): Tracking | undefined {
  return formats.find((format) => format.type === "changeTracking");
}

export function createChangeTracker({ store, clock }: { store: Store; clock: Clock }) {
  /** No fields when the data were not kept before. */
  async function compareData(teamId: string, key: string, data: unknown) {
    const earlier = await store.snapshots.find(teamId, key);
    const snapshot = await packSnapshot({ teamId, key, scrapedAt: clock.now(), text: JSON.stringify(data) });
    return { json: earlier ? compareFields(JSON.parse(earlier.text), data) : {}, isFirst: !earlier, snapshot };
  }

  /** Without data only the text is compared. */
  return async (
    teamId: string,
    url: string,
    tracking: Tracking,
    { document, foundText: text, tracked: data }: Pick<AnsweredPage, "document" | "foundText" | "tracked">,
  ): Promise<TrackedChange> => {
    const subject = [pageUrl(bareUrl(url)), tracking.tag];
    const key = sha256(JSON.stringify(subject));
    const { statusCode = 200, pageState = "content" } = document.metadata;
    const isGone = goneStatuses.has(statusCode) || (statusCode < 400 && pageState === "not_found");
    if (!isGone && (statusCode >= 400 || pageState !== "content")) {
      const reason =
        statusCode >= 400 ? `The page's server answered ${statusCode}` : "The site sent a notice instead of the page";
      return { snapshots: [], warnings: [`${reason}: its changes were not tracked.`] };
    }
    const earlier = await store.snapshots.find(teamId, key);
    const previousScrapeAt = earlier ? isoTime(earlier.scrapedAt) : null;
    const shared = { previousScrapeAt, visibility: "visible" } as const;
    // The last good snapshot stays until the page is back.
    if (isGone) return { changeTracking: { ...shared, changeStatus: "removed" }, snapshots: [], warnings: [] };

    const changeStatus = !earlier ? "new" : earlier.text === text ? "same" : "changed";
    const dataKey = sha256(JSON.stringify([...subject, tracking.schema ?? null, tracking.prompt ?? null]));
    const compared = data === null ? null : await compareData(teamId, dataKey, data);
    const changeTracking = {
      ...shared,
      changeStatus,
      ...(earlier && changeStatus === "changed" && tracking.modes.includes("git-diff")
        ? { diff: describeDiff(earlier.text, text) }
        : {}),
      ...(compared ? { json: compared.json } : {}),
    } as const;
    const snapshots = compared ? [compared.snapshot] : [];
    // Else nothing found to compare with would look like nothing changed.
    const warnings = compared?.isFirst && earlier ? [firstFields] : [];
    if (Buffer.byteLength(text) > maxSnapshotBytes) {
      const reason = `The markdown is longer than ${maxSnapshotBytes} bytes, so it was not kept for the next comparison.`;
      return { changeTracking, snapshots, warnings: [...warnings, reason] };
    }
    snapshots.push(await packSnapshot({ teamId, key, scrapedAt: clock.now(), text }));
    return { changeTracking, snapshots, warnings };
  };
}

/** Fields that are not what they were; absent is null. */
function compareFields(before: unknown, after: unknown): Record<string, { previous: unknown; current: unknown }> {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(changed.map((name) => [name, { previous: old[name] ?? null, current: now[name] ?? null }]));
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return isObject(data) ? data : { value: data };
}

function describeDiff(before: string, after: string) {
  const diff = diffLines(before, after);
  return { text: diff.text, json: filesOf(diff) };
}
