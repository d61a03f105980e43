// Answers that were cut, kept for those who read on: a bounded number, for a while, each for its team alone.
import { newId } from "../base/index.ts";

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

export function createReadings(now: () => number = Date.now) {
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
    keep(team: string, tool: string, answer: object): string {
      const id = newId();
      const characters = JSON.stringify(answer).length;
      readings.set(id, { team, tool, answer, size: characters, until: now() + keptMs });
      size += characters;
      makeRoom();
      return id;
    },
    find(team: string, tool: string, id: string): object | null {
      const found = readings.get(id);
      return found && found.team === team && found.tool === tool && found.until >= now() ? found.answer : null;
    },
  };
}

export type Readings = ReturnType<typeof createReadings>;
