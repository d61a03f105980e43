// Ways of asking for JSON, the surest first. Services differ in which they know, so the one that worked is remembered for
// each URL and model, and the surest is tried again after a while.
import { type Clock, hourMs } from "../base/index.ts";
import type { OutputMode } from "./model.ts";

const modes: readonly OutputMode[] = ["json_schema", "tool_call", "json_object", "text"];
const rememberedMs = hourMs;
const maxRemembered = 100;

export type OutputModes = ReturnType<typeof createOutputModes>;

export function createOutputModes(clock: Clock) {
  const known = new Map<string, { mode: OutputMode; until: number }>();
  return {
    /** The ways to try, in order. */
    modesFor(key: string): readonly OutputMode[] {
      const found = known.get(key);
      if (found === undefined || found.until < clock.now()) return modes;
      return modes.slice(modes.indexOf(found.mode));
    },
    note(key: string, mode: OutputMode): void {
      const found = known.get(key);
      // The time runs from when the surer ways were last tried.
      if (found?.mode === mode && found.until >= clock.now()) return;
      if (known.size >= maxRemembered) known.clear();
      known.set(key, { mode, until: clock.now() + rememberedMs });
    },
  };
}

/** Ways that do not carry the schema need it in words. */
export function describeSchema(mode: OutputMode, schema: object): string {
  if (mode === "json_schema" || mode === "tool_call") return "";
  return `\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. It must follow this JSON Schema:\n${JSON.stringify(schema)}`;
}
