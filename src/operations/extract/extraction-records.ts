// What the tasks of an extract or agent leave behind, in the order in which they ended: each page with what was found on it,
// each search for pages, and at last the answer. They lie where other jobs keep their documents.
import { tokenPrice } from "../../accounts/index.ts";
import type { TraceStep } from "../../base/index.ts";
import { type Clock, newId } from "../../base/index.ts";
import type { Action } from "../../contract/index.ts";
import type { Evidence, PageFinding } from "../../extraction/index.ts";
import { endpointOf, type Task } from "../../jobs/index.ts";
import type { ModelFailure } from "../../llm/index.ts";
import { emptyRows } from "../../pages/index.ts";
import { type Job, packBlob, type Store } from "../../store/index.ts";
import type { Findings, PageEnding } from "../jobs/job-reading.ts";

interface Done {
  at: number;
  /** What was done for it; empty when nobody asked. */
  steps: TraceStep[];
  /** A sentence for the caller. */
  warning?: string;
}

export interface ReadRecord extends Done {
  kind: "page";
  /** Where it was found in the end. */
  url: string;
  /** The address that was asked for. */
  sourceUrl: string;
  title?: string;
  credits: number;
  /** Null for a page that its server answered with a failure. */
  finding: PageFinding | null;
  /** What a language model may read of it, where one is configured. */
  text?: string;
  /** Where an agent may go from here. */
  links?: { url: string; text: string }[];
  /** What can be clicked or filled on it, when it was opened in a browser for that. */
  controls?: PageControl[];
}

export interface PageControl {
  selector: string;
  /** What it is and what it says. */
  text: string;
}

export interface FoundRecord extends Done {
  kind: "pattern" | "search";
}

export interface AnswerRecord extends Done {
  kind: "answer";
  data: unknown;
  sources: Record<string, string[]>;
  evidence: Record<string, Evidence>;
  /** Wanted fields without a value. */
  missing: string[];
  /** Pages that were read. */
  pages: number;
  /** Of the language model, of all steps of an agent; none when it was not asked. */
  tokens?: number;
  /** Which limit ended an agent before everything was found. */
  stopReason?: string;
}

/** What an agent's model decided. */
export interface StepRecord extends Done {
  kind: "step";
  /** From 1. */
  number: number;
  tool: string;
  reason: string;
  query?: string;
  /** Pages to read, or the site to list. */
  urls?: string[];
  /** What to do on the page, in a browser. */
  actions?: Action[];
  /** What of it was not done, and why, in sentences. */
  refused: string[];
  /** Of the language model. */
  tokens: number;
  /** Which limit ended the planning. */
  stopReason?: string;
  /** Why the model gave no step. */
  failure?: WhyNot;
}

/** What came of a step that reads no page. */
export interface ActionRecord extends Done {
  kind: "action";
  tool: "search" | "map" | "extract";
  /** Of its step. */
  number: number;
  input: Record<string, unknown>;
  /** Addresses that were found. */
  links: { url: string; text: string }[];
  credits: number;
  tokens: number;
  /** Of an extract. */
  answer?: PagesAnswer;
}

/** The data of the pages that an agent has read, or why there is none. */
export type PagesAnswer =
  | ({ ok: true; failure?: WhyNot } & Pick<AnswerRecord, "data" | "sources" | "evidence" | "missing" | "warning">)
  | ({ ok: false } & WhyNot);

type WhyNot = Pick<ModelFailure, "code" | "message">;

export type ExtractionRecord = ReadRecord | FoundRecord | AnswerRecord | StepRecord | ActionRecord;

export type ExtractionRecords = ReturnType<typeof createExtractionRecords>;

/** More than any job has: pages, searches and the answer. */
const mostRecords = 10_000;

export function createExtractionRecords({ store, clock }: { store: Store; clock: Clock }) {
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

    /** Of a job that has completed: the last thing it did. */
    async readAnswer(job: Job): Promise<AnswerRecord | null> {
      const [record] = await list(job, job.completed - 1, 1);
      return record?.kind === "answer" ? record : null;
    },

    /**
     * The end of a task that reads no page: an agent's action has its price, an extract's answer that of its tokens. Those of an
     * agent cost no credits: its model reads every page again at each step, so they would be most of its price.
     */
    async ending(
      task: Task,
      { id: jobId, teamId, keyId, kind }: Pick<Job, "id" | "teamId" | "keyId" | "kind">,
      record: Exclude<ExtractionRecord, ReadRecord>,
      { found, refused }: Findings,
    ): Promise<PageEnding> {
      const createdAt = clock.now();
      const data = Buffer.from(JSON.stringify(record));
      const blob = await packBlob({ id: newId(createdAt), teamId, createdAt, expiresAt: null, data });
      const tokens = record.kind === "answer" && kind === "extract" ? (record.tokens ?? 0) : 0;
      const credits = record.kind === "action" ? record.credits : tokenPrice(tokens);
      const endpoint = endpointOf(kind);
      // The task's own id: however often it is done, it is charged once.
      const charge = { id: task.id, teamId, keyId, jobId, endpoint, credits, reason: endpoint, at: createdAt };
      const charges = credits > 0 ? [charge] : [];
      const rows = { ...emptyRows(), blobs: [blob], charges };
      const document = { blobId: blob.id, sizeBytes: blob.sizeBytes, details: "{}" };
      const { warning } = record;
      return {
        kind: "document",
        document,
        rows,
        credits,
        endKey: task.key,
        found,
        refused,
        // That of the answer is read with it.
        ...(warning === undefined || record.kind === "answer" ? {} : { warning }),
      };
    },
  };
}
