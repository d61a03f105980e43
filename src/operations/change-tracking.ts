// What changed on a page since the team last asked (API.md 2.2): its markdown is compared with the snapshot of the same
// address and tag, and takes its place.
import { bareUrl, type Clock, isoTime, sha256, withoutFragment } from "../base/index.ts";
import { diffLines } from "../content/index.ts";
import type { Document, Format, ScrapeOptions } from "../contract/index.ts";
import { type PackedSnapshot, packSnapshot, type Store } from "../store/index.ts";

type Tracking = Extract<Format, { type: "changeTracking" }>;

export interface TrackedChange {
  changeTracking?: NonNullable<Document["changeTracking"]>;
  /** Null when the page's snapshot stays as it is. */
  snapshot: PackedSnapshot | null;
  warnings: string[];
}

/** Longer texts are not kept: their changes cannot be told. */
const maxSnapshotBytes = 4 * 1024 * 1024;
const goneStatuses = new Set([404, 410]);

export type ChangeTracker = ReturnType<typeof createChangeTracker>;

/** The format that asks for it. */
export function findTracking({ formats }: Pick<ScrapeOptions, "formats">): Tracking | undefined {
  return formats.find((format) => format.type === "changeTracking");
}

export function createChangeTracker({ store, clock }: { store: Store; clock: Clock }) {
  return async (teamId: string, url: string, tracking: Tracking, document: Document): Promise<TrackedChange> => {
    const key = sha256(JSON.stringify([withoutFragment(bareUrl(url)), tracking.tag]));
    const { statusCode = 200 } = document.metadata;
    const isGone = goneStatuses.has(statusCode);
    if (statusCode >= 400 && !isGone) {
      const reason = `The page's server answered ${statusCode}: its changes were not tracked.`;
      return { snapshot: null, warnings: [reason] };
    }
    const earlier = await store.snapshots.find(teamId, key);
    const previousScrapeAt = earlier ? isoTime(earlier.scrapedAt) : null;
    const shared = { previousScrapeAt, visibility: "visible" } as const;
    // What the page last said stays, for the day when it is back.
    if (isGone) return { changeTracking: { ...shared, changeStatus: "removed" }, snapshot: null, warnings: [] };

    const text = document.markdown ?? "";
    const changeStatus = !earlier ? "new" : earlier.text === text ? "same" : "changed";
    const changeTracking = {
      ...shared,
      changeStatus,
      ...(earlier && changeStatus === "changed" && tracking.modes.includes("git-diff")
        ? { diff: describeDiff(earlier.text, text) }
        : {}),
    } as const;
    if (Buffer.byteLength(text) > maxSnapshotBytes) {
      const reason = `The markdown is longer than ${maxSnapshotBytes} bytes: it is not kept to be compared with the next one.`;
      return { changeTracking, snapshot: null, warnings: [reason] };
    }
    const snapshot = await packSnapshot({ teamId, key, scrapedAt: clock.now(), text });
    return { changeTracking, snapshot, warnings: [] };
  };
}

/** As readers of such diffs expect it: one file without a name. */
function describeDiff(before: string, after: string) {
  const { text, chunks, additions, deletions } = diffLines(before, after);
  return { text, json: { files: [{ from: null, to: null, chunks, additions, deletions }] } };
}
