// Writes pages in one transaction with the other rows of their feature, and says so once that is committed.
import type { Statements, Store } from "../../store/index.ts";
import { type PageRecorder, type PageRows, writePages } from "./page-record.ts";

export type SavePages = (
  pages: readonly PageRows[],
  alongside?: (statements: Statements) => Promise<void>,
) => Promise<void>;

export interface PageSaverDeps {
  store: Store;
  recorder: Pick<PageRecorder, "onKept">;
}

export function createPageSaver({ store, recorder }: PageSaverDeps): SavePages {
  return async (pages, alongside) => {
    await store.transaction(async (statements) => {
      await writePages(statements, pages);
      await alongside?.(statements);
    });
    recorder.onKept(pages);
  };
}
