// Ways of asking for JSON, the surest first. Services differ in which they know, so the one that worked is remembered for
// each URL and model, and the surest is tried again after a while.
import { type Clock, hourMs } from "../base/index.ts";
import type { Rung } from "./model.ts";

const rungs: readonly Rung[] = ["json_schema", "tool_call", "json_object", "text"];
const rememberedMs = hourMs;
const maxRemembered = 100;

export interface Ladder {
  /** The ways to try, in order. */
  rungsFor(key: string): readonly Rung[];
  note(key: string, rung: Rung): void;
}

export function createLadder(clock: Clock): Ladder {
  const known = new Map<string, { rung: Rung; until: number }>();
  return {
    rungsFor(key) {
      const found = known.get(key);
      if (found === undefined || found.until < clock.now()) return rungs;
      return rungs.slice(rungs.indexOf(found.rung));
    },
    note(key, rung) {
      const found = known.get(key);
      // The time runs from when the surer ways were last tried.
      if (found?.rung === rung && found.until >= clock.now()) return;
      if (known.size >= maxRemembered) known.clear();
      known.set(key, { rung, until: clock.now() + rememberedMs });
    },
  };
}

/** Ways that do not carry the schema need it in words. */
export function describeSchema(rung: Rung, schema: object): string {
  if (rung === "json_schema" || rung === "tool_call") return "";
  return `\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. It must follow this JSON Schema:\n${JSON.stringify(schema)}`;
}
