// Adds a team's own files to its local index, so that its searches find them beside pages of the web. Nothing is fetched and
// nothing is charged.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import { createFileReader, type ReadDocument, type SearchablePage } from "../../pages/index.ts";
import type { PageIndexer } from "./page-indexer.ts";

export interface IndexDeps {
  content: ContentPool;
  readDocument: ReadDocument;
  /** Null when the local index is switched off. */
  indexer: PageIndexer | null;
}

type IndexInput = OperationInput<"addToIndex">;

export function createIndexOperations({ content, readDocument, indexer }: IndexDeps) {
  const readFile = createFileReader(content, readDocument);

  return {
    async addToIndex(
      { files }: IndexInput,
      { teamId }: Pick<Caller, "teamId">,
      signal: AbortSignal,
    ): Promise<OperationOutput<"addToIndex">> {
      if (indexer === null) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
      const pages: SearchablePage[] = [];
      const refused: { name: string; error: string }[] = [];
      for (const { name, content: text, encoding, url = urlOf(name) } of files) {
        signal.throwIfAborted();
        const outcome = await readFile({ name, url, bytes: Buffer.from(text, encoding) }, teamId, signal);
        if ("page" in outcome) pages.push(outcome.page);
        else refused.push({ name, error: outcome.problem });
      }
      indexer.add(pages);
      // The response says that the files can be found.
      await indexer.flush();
      return { success: true, added: pages.length, refused };
    },
  };
}

/** `docs/a b.md` is file:///docs/a%20b.md. */
function urlOf(name: string): string {
  const path = name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return `file:///${path.map(encodeURIComponent).join("/")}`;
}
