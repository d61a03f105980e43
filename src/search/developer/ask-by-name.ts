// Asks open sources by their names, and keeps count of which answered.
import type { Federation } from "../federation/federation.ts";
import type { SourceAnswer, SourceCall } from "../sources/source.ts";

export interface NamedAsker {
  /** Null for a source that is not asked, does not have it, or failed. */
  ask<Read>(name: string, call: SourceCall, read: (answer: SourceAnswer) => Read | null): Promise<Read | null>;
  /** The operator's key; null without. */
  keyOf(name: string): string | null;
  counts: { asked: number; answered: number };
  /** Sources that failed, each once. */
  problems: Set<string>;
}

/** `federation` null: open sources are off. */
export function createNamedAsker(
  federation: Pick<Federation, "names" | "call" | "signingOf"> | null,
  signal: AbortSignal,
): NamedAsker {
  const counts = { asked: 0, answered: 0 };
  const problems = new Set<string>();
  return {
    counts,
    problems,
    keyOf: (name) => federation?.signingOf(name).key ?? null,
    async ask(name, call, read) {
      if (!federation?.names.includes(name)) return null;
      counts.asked += 1;
      const outcome = await federation.call(name, call, signal);
      const found = outcome.ok ? read(outcome.answer) : null;
      if (found !== null || (!outcome.ok && outcome.code === "404")) counts.answered += 1;
      else problems.add(outcome.ok ? `${name} answered in an unknown form.` : outcome.problem);
      return found;
    },
  };
}
