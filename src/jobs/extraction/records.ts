// What the tasks of an extract or agent record, in the order in which they ended: each page with what was found on it,
// each search for pages, each step of a plan, and at last the answer.
import { isObject, type TraceStep } from "../../base/index.ts";
import type { TextPlace } from "../../content/index.ts";
import type { Action } from "../../contract/index.ts";
import type { Evidence, PageFinding } from "../../extraction/index.ts";
import type { ModelFailure } from "../../llm/index.ts";

interface Done {
  at: number;
  /** What was done for it; empty unless requested. */
  steps: TraceStep[];
  /** A sentence for the caller. */
  warning?: string;
}

export interface ReadRecord extends Done {
  kind: "page";
  /** Its final URL. */
  url: string;
  /** The URL that was asked for. */
  sourceUrl: string;
  title?: string;
  credits: number;
  /** Null for a page that its server answered with a failure. */
  finding: PageFinding | null;
  /** What a language model may read of it, where one is configured. */
  text?: string;
  /** Of a file that has pages: where that text is. */
  places?: readonly TextPlace[];
  /** Where an agent may go from here. */
  links?: { url: string; text: string }[];
  /** What can be clicked or filled on it, when it was opened in a browser for that. */
  controls?: PageControl[];
}

/** A page and its rank: its values count only where pages of a better rank have none. */
export type RankedRecord = ReadRecord & { rank?: number };

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
  /** Which limit ended an agent. */
  stopReason?: string;
  /** Why the agent has failed: what it found until the limit is not all that is required. */
  error?: string;
  /** Of such a part: whether it is valid against the schema all the same. */
  isSchemaValid?: boolean;
  /** The reply of an agent that was asked to talk; then there is no data. */
  message?: string;
  /** What could be asked next. */
  suggestions?: Suggestion[];
}

export interface Suggestion {
  label: string;
  prompt: string;
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
  /** What of it was refused, and why, in sentences. */
  refused: string[];
  /** Of the language model. */
  tokens: number;
  /** Which limit ended the planning. */
  stopReason?: string;
  /** Why the model gave no step. */
  failure?: WhyNot;
}

/** The result of a step that reads no page. */
export interface ActionRecord extends Done {
  kind: "action";
  tool: "search" | "map" | "extract";
  /** Of its step. */
  number: number;
  input: Record<string, unknown>;
  /** URLs that were found. */
  links: { url: string; text: string }[];
  credits: number;
  tokens: number;
  /** Of an extract. */
  answer?: PagesAnswer;
}

/** The data of the pages that an agent has read, or why it has no data. */
export type PagesAnswer =
  | ({ ok: true; failure?: WhyNot } & Pick<AnswerRecord, "data" | "sources" | "evidence" | "missing" | "warning">)
  | ({ ok: false } & WhyNot);

type WhyNot = Pick<ModelFailure, "code" | "message">;

export type ExtractionRecord = ReadRecord | FoundRecord | AnswerRecord | StepRecord | ActionRecord;

/** A page that was read, for the model that reads all of them. */
export function readableOf({ url, finding, text = "", places }: ReadRecord) {
  return { url, finding, text, placed: places && { text, places } };
}

/** Whether anything in it says something. */
export function holdsValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsValue);
  if (isObject(value)) return Object.values(value).some(holdsValue);
  return value !== null && value !== undefined && value !== "";
}
