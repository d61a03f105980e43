// Keeps the records of extracts and agents where other jobs keep their documents.
import { tokenPrice } from "../../accounts/index.ts";
import { type Clock, newId } from "../../base/index.ts";
import { emptyRows } from "../../pages/index.ts";
import type { ClaimedPage, Job, Store } from "../../store/index.ts";
import { endpointOf } from "../engine/job-kinds.ts";
import type { Findings, PageEnding } from "../pages/task-page.ts";
import type { AnswerRecord, ExtractionRecord, ReadRecord } from "./records.ts";

export type ExtractionRecords = ReturnType<typeof createExtractionRecords>;

/** More than any job has: pages, searches and the answer. */
const mostRecords = 10_000;

export function createExtractionRecords({
  store,
  clock,
}: {
  store: Pick<Store, "jobResults" | "blobs">;
  clock: Clock;
}) {
  async function list({ id, teamId }: Pick<Job, "id" | "teamId">, from: number, limit: number) {
    const results = await store.jobResults.list(id, from, limit);
    const records: ExtractionRecord[] = [];
    for (const { blobId } of results) {
      const bytes = await store.blobs.get(teamId, blobId, clock.now());
      if (bytes) records.push(JSON.parse(Buffer.from(bytes).toString("utf8")));
    }
    return records;
  }

  return {
    readAll: (job: Pick<Job, "id" | "teamId">): Promise<ExtractionRecord[]> => list(job, 0, mostRecords),

    async readOne(job: Pick<Job, "id" | "teamId">, seq: number): Promise<ExtractionRecord | null> {
      return (await list(job, seq, 1))[0] ?? null;
    },

    /** The last thing that a job did; null where that is no answer. */
    async readAnswer(job: Job): Promise<AnswerRecord | null> {
      const [record] = await list(job, job.completed - 1, 1);
      return record?.kind === "answer" ? record : null;
    },

    /**
     * The end of a task that reads no page: an agent's action has its price, an extract's answer that of its tokens. Those of an
     * agent cost no credits: its model reads every page again at each step, so they would be most of its price.
     */
    async ending(
      task: Pick<ClaimedPage, "id" | "key">,
      { id: jobId, teamId, keyId, kind }: Pick<Job, "id" | "teamId" | "keyId" | "kind">,
      record: Exclude<ExtractionRecord, ReadRecord>,
      { found, refused }: Findings,
    ): Promise<PageEnding> {
      const createdAt = clock.now();
      const data = Buffer.from(JSON.stringify(record));
      const blob = await store.blobs.pack({ id: newId(createdAt), teamId, createdAt, expiresAt: null, data });
      const tokens = record.kind === "answer" && kind === "extract" ? (record.tokens ?? 0) : 0;
      const credits = record.kind === "action" ? record.credits : tokenPrice(tokens);
      const endpoint = endpointOf(kind);
      // The task's own id: however often it is done, it is charged once.
      const charge = { id: task.id, teamId, keyId, jobId, endpoint, credits, reason: endpoint, at: createdAt };
      const charges = credits > 0 ? [charge] : [];
      const rows = { ...emptyRows(), blobs: [blob], charges };
      const document = { blobId: blob.id, sizeBytes: blob.sizeBytes, details: "{}" };
      const { warning } = record;
      const { stopReason, error }: Pick<AnswerRecord, "stopReason" | "error"> = record.kind === "answer" ? record : {};
      return {
        kind: "document",
        document,
        rows,
        credits,
        endKey: task.key,
        found,
        refused,
        ...(stopReason === undefined ? {} : { stopReason }),
        ...(error === undefined ? {} : { error }),
        // That of the answer is read with it.
        ...(warning === undefined || record.kind === "answer" ? {} : { warning }),
      };
    },
  };
}
