// What goes into a program's process and what comes out beside its output. Types only: both sides speak them.
import type { Action } from "../../../contract/index.ts";

/** One `agent-browser` command, its words without the name. */
export interface VerbCommand {
  words: string[];
  /** Whether it is left out when the one before failed. */
  needsSuccess: boolean;
}

/** The nodes behind the refs of the latest snapshot, in one document. */
export interface SnapshotRefs {
  documentId: string;
  /** Of the ref e1 first. */
  nodes: number[];
}

export interface DialogAnswer {
  accept: boolean;
  /** For a prompt. */
  text: string;
}

/** What one program leaves for the next on the same session. */
export interface SessionMemory {
  /** Which page was `page`: the browser lists its pages in no order. */
  pageId?: string;
  refs?: SnapshotRefs;
  /** The frame that verbs work in. */
  frame?: string;
  /** For the next dialog. */
  dialog?: DialogAnswer;
}

export type ProgramWork =
  /** JavaScript with `page`, `context` and `browser`. */
  | { kind: "code"; code: string }
  | { kind: "verbs"; commands: VerbCommand[] }
  /** Brings the page of a scrape back. */
  | { kind: "reopen"; url: string; waitFor: number; actions: Action[] }
  /** A program of another language, which finds the session at CDP_URL. */
  | { kind: "interpreter"; language: "bash" | "python"; code: string }
  /** Only whether it starts. */
  | { kind: "probe" };

export interface ProcessInput {
  work: ProgramWork;
  memory: SessionMemory;
  /** The session's socket as the process sees it. */
  devtoolsSocket: string;
  timeoutMs: number;
}

export interface ProcessAnswer {
  /** The last value, as text. */
  result?: string;
  memory?: SessionMemory;
  /** PNG as base64, in the order of their marks in the output. */
  pictures?: string[];
  /** The work itself could not be done, and why. */
  failure?: string;
}

/** Marks where in the output of verbs a picture was taken. */
export const pictureMark = "\0picture\0";
