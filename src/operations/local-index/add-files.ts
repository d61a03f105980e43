// Adds a team's own files to its local index, so that its searches find them beside pages of the web. Nothing is fetched and
// nothing is charged.
import { ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { SearchablePage } from "../../pages/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { createFileReader } from "./read-indexed-file.ts";

type Files = OperationInput<"addToIndex">["files"];

/** `sourceId`: the source of the index that the files are, where they are one. */
export type FileAdder = (
  files: Files,
  teamId: string,
  signal: AbortSignal,
  sourceId?: string,
) => Promise<{ added: number; refused: { name: string; error: string }[] }>;

export function createFileAdder({ content, readDocument, indexer }: OperationParts): FileAdder {
  const readFile = createFileReader(content, readDocument);
  return async (files, teamId, signal, sourceId) => {
    if (indexer === null) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
    const pages: SearchablePage[] = [];
    const refused: { name: string; error: string }[] = [];
    for (const { name, content: text, encoding, url = urlOf(name) } of files) {
      signal.throwIfAborted();
      const outcome = await readFile({ name, url, bytes: Buffer.from(text, encoding) }, teamId, signal);
      if ("page" in outcome) pages.push({ ...outcome.page, sourceId });
      else refused.push({ name, error: outcome.problem });
    }
    indexer.add(pages);
    // The response says that the files can be found.
    await indexer.flush();
    return { added: pages.length, refused };
  };
}

export function createIndexOperations(addFiles: FileAdder) {
  return {
    async addToIndex({ files }, { teamId }, signal) {
      return { success: true, ...(await addFiles(files, teamId, signal)) };
    },
  } satisfies ServedOperations;
}

/** `docs/a b.md` is file:///docs/a%20b.md. */
function urlOf(name: string): string {
  const path = name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return `file:///${path.map(encodeURIComponent).join("/")}`;
}
