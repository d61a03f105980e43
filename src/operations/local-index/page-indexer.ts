// Hands pages that were read to the local index, beside the request: nothing waits for it.
import { withoutFragment } from "../../base/index.ts";
import type { SearchablePage } from "../../pages/index.ts";
import type { IndexWriter, PageToIndex } from "../../search/index.ts";
import type { PageIndexer } from "../parts/operation-parts.ts";

/** The index is opened with the first page, so that an idle server stays small. */
export function createPageIndexer(open: () => Promise<IndexWriter>): PageIndexer {
  let opening: Promise<IndexWriter> | null = null;
  return {
    add(pages) {
      if (pages.length === 0) return;
      opening ??= open();
      opening.then(
        (writer) => {
          for (const page of pages) writer.add(toIndexed(page));
        },
        // An index that cannot be loaded shows in the first search.
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

function toIndexed({ teamId, metadata, content, sourceId }: SearchablePage): PageToIndex {
  const { url = "", title = "", description = "", language, publishedTime, modifiedTime } = metadata;
  return {
    teamId,
    sourceId,
    url: withoutFragment(url),
    title,
    description,
    language: language ?? null,
    published: timeOf(publishedTime),
    modified: timeOf(modifiedTime),
    ...content,
  };
}

function timeOf(text: unknown): number | null {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
