// Answers that were cut, kept for those who read on: a bounded number, for a while, each for its team alone. Servers keep them in
// the store, so that any of them reads on; these are those of `trawl mcp`, which is one process.
import { newId } from "../base/index.ts";

export interface Readings {
  /** Its id. */
  keep(team: string, tool: string, answer: object): Promise<string>;
  /** Null for one that was not kept, or is another team's. */
  find(team: string, tool: string, id: string): Promise<object | null>;
}

interface Reading {
  team: string;
  tool: string;
  answer: object;
  size: number;
  until: number;
}

const keptMs = 30 * 60_000;
const mostReadings = 200;
const mostCharacters = 64_000_000;

export function createReadings(now: () => number = Date.now): Readings {
  const readings = new Map<string, Reading>();
  let size = 0;

  function drop(id: string): void {
    size -= readings.get(id)?.size ?? 0;
    readings.delete(id);
  }

  function makeRoom(): void {
    for (const [id, { until }] of readings)
      if (until < now() || readings.size > mostReadings || size > mostCharacters) drop(id);
  }

  return {
    async keep(team, tool, answer) {
      const id = newId();
      const characters = JSON.stringify(answer).length;
      readings.set(id, { team, tool, answer, size: characters, until: now() + keptMs });
      size += characters;
      makeRoom();
      return id;
    },
    async find(team, tool, id) {
      const found = readings.get(id);
      return found && found.team === team && found.tool === tool && found.until >= now() ? found.answer : null;
    },
  };
}
