// What operators and callers may know about the open sources that searches ask.
import type { OperationOutput } from "../../contract/index.ts";
import type { Federation } from "../../search/index.ts";

export interface OpenSourceDeps {
  /** Null when open sources are off. */
  openSources(): Promise<Pick<Federation, "list"> | null>;
}

export function createSourceOperations({ openSources }: OpenSourceDeps) {
  return {
    async listSearchSources(): Promise<OperationOutput<"listSearchSources">> {
      const sources = await openSources();
      return { success: true, sources: sources === null ? [] : await sources.list() };
    },
  };
}
