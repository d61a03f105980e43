// Hands pages that were read to the own index, beside the request: nothing waits for it.
import { withoutFragment } from "../../base/index.ts";
import type { SearchText } from "../../content/index.ts";
import type { Document } from "../../contract/index.ts";
import type { IndexedPage, IndexWriter } from "../../search/index.ts";

export interface PageIndexer {
  add(teamId: string, metadata: Document["metadata"], content: SearchText): void;
  /** Writes what waits. */
  flush(): Promise<void>;
  /** The same, and takes nothing more. */
  stop(): Promise<void>;
}

/** The index is opened with the first page, so that an idle server stays small. */
export function createPageIndexer(open: () => Promise<IndexWriter>): PageIndexer {
  let opening: Promise<IndexWriter> | null = null;
  return {
    add(teamId, metadata, content) {
      opening ??= open();
      // A room that cannot be loaded shows at the first search.
      opening.then(
        (writer) => writer.add(toIndexed(teamId, metadata, content)),
        () => undefined,
      );
    },
    async flush() {
      await (await opening?.catch(() => null))?.flush();
    },
    async stop() {
      await (await opening?.catch(() => null))?.stop();
    },
  };
}

function toIndexed(teamId: string, metadata: Document["metadata"], content: SearchText): IndexedPage {
  const { url = "", title = "", description = "", language, publishedTime, modifiedTime } = metadata;
  return {
    ...content,
    teamId,
    url: withoutFragment(url),
    title,
    description,
    language: language ?? null,
    published: timeOf(publishedTime),
    modified: timeOf(modifiedTime),
  };
}

function timeOf(text: unknown): number | null {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
