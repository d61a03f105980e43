// Turns at a fixed number of places. Those who wait are let in owner by owner, each owner's in the order they came, so
// that one owner's long queue holds up nobody else.

export interface Turns {
  /** Resolves when a place is free; rejects with the signal's reason. */
  take(owner: string, signal: AbortSignal): Promise<void>;
  /** Gives a place back. */
  pass(): void;
}

export function createTurns(places: number): Turns {
  /** Only owners who wait; the first is the next to be let in. */
  const waiting = new Map<string, Set<() => void>>();
  let free = places;

  return {
    async take(owner, signal) {
      if (free > 0) {
        free -= 1;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const own = waiting.get(owner) ?? new Set();
        waiting.set(owner, own);
        const enter = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          own.delete(enter);
          if (own.size === 0) waiting.delete(owner);
          reject(signal.reason);
        };
        own.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },

    pass() {
      const [owner, own] = waiting.entries().next().value ?? ["", new Set<() => void>()];
      const [enter] = own;
      if (enter === undefined) {
        free += 1;
        return;
      }
      own.delete(enter);
      waiting.delete(owner);
      if (own.size > 0) waiting.set(owner, own);
      enter();
    },
  };
}
