// Pages wait here for a place in the browser: first come, first served, and not without end.

export interface WaitingLine {
  /** Resolves with the function that gives the place back; null when too many wait. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<(() => void) | null>;
}

export function createWaitingLine(places: number, maxWaiting: number): WaitingLine {
  let taken = 0;
  const waiting = new Set<() => void>();

  function place(): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const [next] = waiting;
      if (next === undefined) taken -= 1;
      else {
        waiting.delete(next);
        next();
      }
    };
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return place();
      }
      if (waiting.size >= maxWaiting) return null;
      return new Promise((resolve, reject) => {
        const give = () => {
          signal.removeEventListener("abort", stop);
          resolve(place());
        };
        const stop = () => {
          waiting.delete(give);
          reject(signal.reason);
        };
        waiting.add(give);
        signal.addEventListener("abort", stop, { once: true });
      });
    },
  };
}
