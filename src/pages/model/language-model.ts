// The language model as operations ask it: its room is loaded with the first question, and all questions of one request share
// the request's tokens and end before its time does.
import type { Allowance, Model, ModelReading, ModelRequest, PageText } from "../../llm/index.ts";

type Room = typeof import("../../llm/index.ts");

export interface ModelLimits {
  /** Of page text in one question. */
  contextTokens: number;
  maxOutputTokens: number;
  /** Of one answer. */
  timeoutMs: number;
  /** Of all questions of one request; 0: unlimited. */
  tokensPerRequest: number;
}

/** On whose behalf the model is asked. */
export interface Asker {
  teamId: string;
  /** Null where no key was needed. */
  keyId: string | null;
  signal: AbortSignal;
  /** By performance.now(): what is not answered by then is given up. */
  endsAt: number;
  /** Tokens that may be used, where that is less than a request may. */
  maxTokens?: number;
}

/** The questions of one request. */
export interface ModelUse {
  model: Model;
  /** What can be asked about pages. */
  room: Room;
  contextTokens: number;
  maxOutputTokens: number;
  allowance: Allowance;
  /** A question about pages, for the functions of the room. */
  reading(pages: readonly PageText[]): ModelReading;
  /** A question in other words. Page text must not be in `system`. */
  question(words: Pick<ModelRequest, "system" | "prompt">): ModelRequest;
  /** Read and written so far. */
  tokensUsed(): number;
}

export interface LanguageModel {
  /** As its service calls it. */
  name: string;
  open(asker: Asker): Promise<ModelUse>;
}

/** Of a page, in characters: more than a request may ask about by default, and what can be looked through in no time. */
const longestText = 500_000;

/** What a model is asked about of a page's text. */
export function modelText(text: string): { text: string; warnings: string[] } {
  if (text.length <= longestText) return { text, warnings: [] };
  const warning = `Only the first ${longestText} characters of the text are read by the language model.`;
  return { text: text.slice(0, longestText), warnings: [warning] };
}

export interface LanguageModelDeps {
  name: string;
  openModel(): Promise<Model>;
}

export function createLanguageModel({ name, openModel }: LanguageModelDeps, limits: ModelLimits): LanguageModel {
  const { contextTokens, maxOutputTokens, tokensPerRequest } = limits;

  return {
    name,
    async open({ teamId, keyId, signal, endsAt, maxTokens }) {
      // Loaded with the first question: an idle server stays small.
      const [model, room] = await Promise.all([openModel(), import("../../llm/index.ts")]);
      const allowance = room.createAllowance(tokensPerRequest, maxTokens);
      const timeLeft = () => Math.max(1, Math.min(limits.timeoutMs, endsAt - performance.now()));
      return {
        model,
        room,
        contextTokens,
        maxOutputTokens,
        allowance,
        reading: (pages) => ({
          model,
          pages,
          teamId,
          keyId,
          allowance,
          limits: { contextTokens, maxOutputTokens, timeoutMs: timeLeft() },
          signal,
        }),
        question: ({ system, prompt }) => ({
          system,
          prompt,
          teamId,
          keyId,
          allowance,
          maxOutputTokens,
          timeoutMs: timeLeft(),
          signal,
        }),
        tokensUsed: () => allowance.used.input + allowance.used.output,
      };
    },
  };
}
