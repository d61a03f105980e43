// What operators and callers may know about the open sources that searches ask.
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

export function createSourceOperations({ openSources }: OperationParts) {
  return {
    async listSearchSources() {
      const sources = await openSources();
      return { success: true, sources: sources === null ? [] : await sources.list() };
    },
  } satisfies ServedOperations;
}
