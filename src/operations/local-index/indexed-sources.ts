// The sources of a team's local index: listed, changed, read again, deleted.
import type { Caller } from "../../accounts/index.ts";
import { cutPage, readCursor, refusedField, ServiceError } from "../../base/index.ts";
import type { IndexedSource } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { answerWith, showSources } from "./shown-source.ts";
import { readAgainAt } from "./source-reading.ts";

/** Pages that are taken out in one transaction. */
const dropBatch = 500;

export function createIndexedSources(parts: OperationParts) {
  const { store, clock, indexer } = parts;
  const { documents } = parts.jobs;

  async function find({ id }: { id: string }, { teamId }: Caller): Promise<IndexedSource> {
    const source = await store.indexedSources.find(teamId, id);
    if (!source) throw new ServiceError("SOURCE_NOT_FOUND");
    return source;
  }

  const answer = (source: IndexedSource) => answerWith(store, source);

  async function change(id: string, work: (source: IndexedSource) => Partial<IndexedSource>, caller: Caller) {
    await find({ id }, caller);
    const changed = await store.transaction(async ({ indexedSources }) => {
      const source = (await indexedSources.lock([id])).get(id);
      if (!source) throw new ServiceError("SOURCE_NOT_FOUND");
      const { id: _, ...changes } = { ...work(source), updatedAt: clock.now() };
      await indexedSources.change(id, changes);
      return { ...source, ...changes };
    });
    return answer(changed);
  }

  /** Ends what reads it; what comes later finds no source to be written for. */
  async function stopReading({ jobId }: IndexedSource, caller: Caller): Promise<void> {
    if (jobId === null) return;
    await documents.cancel({ id: jobId }, caller).catch((error: unknown) => {
      const isOver = error instanceof ServiceError && ["JOB_ALREADY_ENDED", "JOB_NOT_FOUND"].includes(error.code);
      if (!isOver) throw error;
    });
  }

  return {
    async listIndexedSources({ limit, cursor }, { teamId }) {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await store.indexedSources.list(teamId, limit + 1, before);
      const { page, cursor: next, hasMore } = cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
      return { success: true, data: await showSources(store, page), cursor: next, has_more: hasMore };
    },

    readIndexedSource: async (input, caller) => answer(await find(input, caller)),

    updateIndexedSource: ({ id, name, enabled, refresh }, caller) =>
      change(
        id,
        (source) => {
          if (source.type === "documents" && refresh) throw refusedField(["refresh"], notReadAgain);
          const isEnabled = enabled === undefined ? source.isEnabled : Number(enabled);
          const next = { ...source, isEnabled, refresh: refresh === undefined ? source.refresh : refresh };
          return { name: name ?? source.name, isEnabled, refresh: next.refresh, dueAt: readAgainAt(next, clock.now()) };
        },
        caller,
      ),

    /** Its pages leave the index first, so that nothing is left of it that no request could remove. */
    async deleteIndexedSource(input, caller) {
      const source = await find(input, caller);
      const shown = await answer(source);
      await stopReading(source, caller);
      await store.indexedSources.change(source.id, { isEnabled: 0, dueAt: null, jobId: null });
      // What was read before waits to be written.
      await indexer?.flush();
      const drop = () =>
        store.transaction(({ indexedSources }) => indexedSources.dropPages(source, { limit: dropBatch }));
      while ((await drop()) === dropBatch);
      await store.transaction(async ({ indexedSources }) => {
        await indexedSources.lock([source.id]);
        while ((await indexedSources.dropPages(source, { limit: dropBatch })) > 0);
        await indexedSources.remove(source.id);
      });
      return shown;
    },

    refreshIndexedSource: ({ id }, caller) =>
      change(
        id,
        ({ type, jobId, dueAt }) => {
          if (type === "documents") throw new ServiceError("BAD_REQUEST", `${notReadAgain}.`);
          const now = clock.now();
          if (jobId !== null || (dueAt !== null && dueAt <= now)) throw new ServiceError("SOURCE_BUSY");
          return { status: "queued", dueAt: now };
        },
        caller,
      ),
  } satisfies ServedOperations;
}

const notReadAgain = "Documents cannot be read again: add them as a new source";
