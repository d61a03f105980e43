// Clients of 2025 cancel a request by a second one, which may reach another server than the one at work: it is told to all.
import { sha256 } from "../base/index.ts";

/** Tells the servers on one store; a word that is lost costs work whose result no client waits for. */
export interface Announcer {
  publish(word: string): void;
  subscribe(receiver: (word: string) => void): void;
}

export type Cancellations = ReturnType<typeof createCancellations>;

const subject = "mcp-cancelled";

/** Ids of requests and sessions are the client's: the name is as long as any other, and only the team's. */
export function requestName(team: string, session: string, id: unknown): string {
  return sha256(JSON.stringify([team, session, id]));
}

/** `announcer` null: no other server shares the store. */
export function createCancellations(announcer: Announcer | null) {
  const running = new Map<string, () => void>();
  announcer?.subscribe((word) => {
    const [what, name = ""] = word.split(" ");
    if (what === subject) running.get(name)?.();
  });
  return {
    /** Calls back when the request is cancelled, until the returned function is called. */
    watch(name: string, stop: () => void): () => void {
      running.set(name, stop);
      return () => void (running.get(name) === stop && running.delete(name));
    },
    cancel(name: string): void {
      running.get(name)?.();
      announcer?.publish(`${subject} ${name}`);
    },
  };
}
