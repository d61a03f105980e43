// Takes down what one page brings: exchanges as they pass, and what a browser made of them.
import { newId, withoutFragment } from "../../base/index.ts";
import type { ArchiveUse, KeptExchange } from "../../net/index.ts";
import { exchangeRecords, keptUrl } from "../warc/exchange-records.ts";
import { digestOf, makeRecord, type WarcField } from "../warc/warc-record.ts";
import type { Addition, ArchiveWriter } from "./archive-writer.ts";
import { urlHashOf } from "./record-rows.ts";

export interface CaptureRequest {
  archiveId: string;
  teamId: string;
  /** Names of the headers that the caller sent along, in any case. */
  callerHeaders: readonly string[];
}

/** What a page was, once it is read. */
export interface CapturedPage {
  pageId: string;
  /** As it was asked for. */
  url: string;
  status: number | null;
  mime: string;
  title: string;
  bytes: number;
}

export interface NewResource {
  url: string;
  at: number;
  contentType: string;
  block: Buffer;
  metadata?: object;
}

export type Capture = Extract<ArchiveUse, { kind: "capture" }> & {
  archiveId: string;
  /** When the latest response of this URL came, since the last flush or before; null when none did. */
  atOf(url: string): number | null;
  addResource(resource: NewResource): void;
  /** Writes what was taken down. False when the archive has no room for it, or is gone. */
  flush(page: CapturedPage | null): Promise<boolean>;
};

/** What is held before a page has ended: more of it is written at once. */
const heldBytes = 8 * 1024 * 1024;

export function openCapture({ write }: ArchiveWriter, { archiveId, teamId, callerHeaders }: CaptureRequest): Capture {
  const callers = new Set(callerHeaders.map((name) => name.toLowerCase()));
  const times = new Map<string, number>();
  let items: Addition["items"] = [];
  let held = 0;
  /** Writes that were begun before the page had ended. */
  let early: Promise<boolean> = Promise.resolve(true);

  async function writeItems(page: Addition["page"]): Promise<boolean> {
    const addition: Addition = { archiveId, teamId, items, page };
    items = [];
    held = 0;
    if (addition.items.length === 0 && page === null) return true;
    await write(addition);
    return addition.isKept === true;
  }

  function hold(bytes: number): void {
    held += bytes;
    if (held < heldBytes) return;
    const before = early;
    const writing = writeItems(null);
    early = before.then(async (isKept) => (await writing) && isKept);
    early.catch(() => undefined);
  }

  return {
    kind: "capture",
    archiveId,

    keep(exchange: KeptExchange) {
      const url = keptUrl(exchange.url);
      if (!/^https?:/i.test(url)) return;
      const { at, status, method, body } = exchange;
      const records = exchangeRecords(exchange, [newId(at), newId(at)], callers);
      const { mime, digest } = records;
      times.set(url, at);
      items.push({ kind: "exchange", records, index: { type: "response", url, method, at, status, mime, digest } });
      hold(body.length);
    },

    atOf: (url) => times.get(withoutFragment(url)) ?? null,

    addResource({ url, at, contentType, block, metadata }) {
      const digest = digestOf(block);
      const more: WarcField[] = [
        ["WARC-Target-URI", url],
        ["WARC-Payload-Digest", digest],
        ...(metadata === undefined ? [] : [["WARC-JSON-Metadata", JSON.stringify(metadata)] as const]),
      ];
      const record = makeRecord({ type: "resource", id: newId(at), at, contentType, block, more });
      const mime = contentType.split(";", 1)[0] ?? "";
      items.push({ kind: "resource", record, index: { type: "resource", url, at, status: null, mime, digest } });
      hold(block.length);
    },

    async flush(page) {
      const url = page === null ? "" : keptUrl(page.url);
      const at = times.get(url) ?? null;
      const isKept = await writeItems(page === null || at === null ? null : pageRow(page, url, at));
      return (await early) && isKept && at !== null;
    },
  };
}

function pageRow(page: CapturedPage, url: string, at: number): NonNullable<Addition["page"]> {
  const { pageId, status, mime, title, bytes } = page;
  return { pageId, url, urlHash: urlHashOf(url), at, status, mime, title, bytes };
}
