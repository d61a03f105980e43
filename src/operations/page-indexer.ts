// Hands pages that were read to the own index, beside the request: nothing waits for it.
import { withoutFragment } from "../base/index.ts";
import type { Document } from "../contract/index.ts";
import type { IndexedPage, IndexWriter } from "../search/index.ts";

export interface PageIndexer {
  /** A page without markdown is not searched: its text was not asked for. */
  add(teamId: string, document: Document): void;
  /** Writes what waits. */
  stop(): Promise<void>;
}

/** The index is opened with the first page, so that an idle server stays small. */
export function createPageIndexer(open: () => Promise<IndexWriter>): PageIndexer {
  let opening: Promise<IndexWriter> | null = null;
  return {
    add(teamId, document) {
      if (!document.markdown) return;
      opening ??= open();
      // A room that cannot be loaded shows at the first search.
      opening.then(
        (writer) => writer.add(toIndexed(teamId, document)),
        () => undefined,
      );
    },
    async stop() {
      await (await opening?.catch(() => null))?.stop();
    },
  };
}

function toIndexed(teamId: string, { markdown = "", metadata }: Document): IndexedPage {
  return {
    teamId,
    url: withoutFragment(metadata.url ?? ""),
    title: metadata.title ?? "",
    headings: Array.from(markdown.matchAll(/^#{1,6} (.+)$/gm), ([, heading = ""]) => plain(heading)),
    text: plain(markdown),
    language: metadata.language ?? null,
    published: timeOf(metadata.publishedTime),
    modified: timeOf(metadata.modifiedTime),
  };
}

/** Markdown without its signs: words of links stay, their addresses go. */
function plain(markdown: string): string {
  return markdown
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, "]")
    .replace(/^#{1,6} |^\s*(?:[-*>]|\d+\.) |[`*_[\]|]+/gm, " ");
}

function timeOf(text: unknown): number | null {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
