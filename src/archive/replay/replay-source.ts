// Answers requests out of an archive. Nothing is connected to.
import { withoutFragment } from "../../base/index.ts";
import type { ArchivedAnswer, ArchiveUse } from "../../net/index.ts";
import type { ArchiveRecordRow, Store } from "../../store/index.ts";
import { keyHashOf, urlHashOf } from "../keeping/record-rows.ts";
import { keptUrl, revisitProfile } from "../warc/exchange-records.ts";
import { readHttpHead, withoutChunks } from "../warc/http-head.ts";
import { splitRecord, targetUri, timeOf, warcField } from "../warc/record-head.ts";
import type { PartReader } from "./part-reader.ts";

export interface ReplayRequest {
  archiveId: string;
  teamId: string;
  /** The captures nearest to it are taken; null: the newest. */
  at: number | null;
}

/** What a browser had made of a page when it was captured. */
export interface KeptDom {
  html: Buffer;
  metadata: { url?: string; waitFor?: number; mobile?: boolean };
}

export type ArchiveReplay = Extract<ArchiveUse, { kind: "replay" }> & {
  archiveId: string;
  /** The same for another method than GET. */
  answerTo(url: string, method: string): Promise<ArchivedAnswer | null>;
  /** When the response was captured that this URL was answered with last. */
  atOf(url: string): number | null;
  /** The DOM that belongs to that response. */
  readDom(url: string): Promise<KeptDom | null>;
};

type Deps = { store: Store; reader: PartReader };

export function openArchiveReplay({ store, reader }: Deps, { archiveId, teamId, at }: ReplayRequest): ArchiveReplay {
  const times = new Map<string, number>();
  const { archives } = store;

  async function nearest(url: string, method: string): Promise<ArchiveRecordRow | null> {
    const exact = closest(await archives.nearest(archiveId, { urlHash: urlHashOf(url, method) }, at), at);
    return exact ?? closest(await archives.nearest(archiveId, { keyHash: keyHashOf(url, method) }, at), at);
  }

  async function answerTo(asked: string, method: string): Promise<ArchivedAnswer | null> {
    const url = keptUrl(asked);
    const row = await nearest(url, method);
    if (row === null) return null;
    const answer = await read(row);
    if (answer !== null) times.set(url, row.at);
    return answer;
  }

  async function read(row: ArchiveRecordRow): Promise<ArchivedAnswer | null> {
    const { head, block } = splitRecord(await reader.readRecord(teamId, row));
    if (row.type === "resource" || row.type === "conversion") {
      const type = row.type === "conversion" ? "text/plain; charset=utf-8" : (warcField(head, "Content-Type") ?? "");
      return { status: 200, headers: { "content-type": type }, body: block };
    }
    const http = readHttpHead(block);
    if (row.type === "response") {
      if (http === null) return null;
      return { status: http.status, headers: http.headers, body: bodyOf(http, block) };
    }
    const original = await originalOf(row, head);
    if (original === null) return null;
    const kept = await read(original);
    if (kept === null) return null;
    // A revisit may come without its own headers.
    if (http === null) return kept;
    const encoding = kept.headers["content-encoding"];
    const { "content-encoding": _, ...headers } = http.headers;
    return { status: http.status, headers: { ...headers, "content-encoding": encoding }, body: kept.body };
  }

  async function originalOf(row: ArchiveRecordRow, head: Parameters<typeof warcField>[0]) {
    const profile = warcField(head, "WARC-Profile") ?? revisitProfile;
    if (!profile.includes("identical-payload-digest")) return null;
    const fields = [["WARC-Target-URI", warcField(head, "WARC-Refers-To-Target-URI") ?? row.url] as const];
    const referred = timeOf(warcField(head, "WARC-Refers-To-Date"));
    if (referred !== null) {
      const found = await archives.findOriginal(archiveId, { urlHash: urlHashOf(targetUri({ fields })), at: referred });
      if (found !== null) return found;
    }
    return row.digest === "" ? null : archives.findOriginal(archiveId, { digest: row.digest });
  }

  return {
    kind: "replay",
    archiveId,
    answer: (url) => answerTo(url, "GET"),
    answerTo,
    atOf: (url) => times.get(keptUrl(url)) ?? null,

    async readDom(asked) {
      const url = keptUrl(asked);
      const captured = times.get(url);
      if (captured === undefined) return null;
      const [row] = await archives.nearest(archiveId, { urlHash: urlHashOf(`urn:dom:${url}`) }, captured);
      if (row?.at !== captured) return null;
      const { head, block } = splitRecord(await reader.readRecord(teamId, row));
      return { html: block, metadata: readMetadata(warcField(head, "WARC-JSON-Metadata")) };
    },
  };
}

function bodyOf({ headers, bodyAt }: { headers: ArchivedAnswer["headers"]; bodyAt: number }, block: Buffer): Buffer {
  const body = block.subarray(bodyAt);
  // Other writers keep the chunks, or take them away and leave the header.
  return /\bchunked\b/i.test(String(headers["transfer-encoding"] ?? "")) ? withoutChunks(body) : body;
}

function readMetadata(text: string | null): KeptDom["metadata"] {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The one until the moment or the one after it. */
function closest(rows: readonly ArchiveRecordRow[], at: number | null): ArchiveRecordRow | null {
  const [first = null, second = null] = rows;
  if (first === null || second === null || at === null) return first;
  return Math.abs(second.at - at) < Math.abs(first.at - at) ? second : first;
}

/** The page of a site in an archive, for lists. */
export const isOfUrl = (url: string): string => urlHashOf(withoutFragment(url));
