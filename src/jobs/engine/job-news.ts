// Wakes callers that wait for a job. Changes by this process wake them immediately, those by others at the next poll.

/** Several processes may work on a job, so waiting callers poll again after this time. */
const lookMs = 1000;

export type JobNews = ReturnType<typeof createJobNews>;

export function createJobNews() {
  const waiting = new Map<string, Set<() => void>>();

  return {
    tell(jobId: string): void {
      const listeners = waiting.get(jobId);
      waiting.delete(jobId);
      for (const listener of listeners ?? []) listener();
    },

    /** Resolves when something may have changed, or when the signal fires. */
    next(jobId: string, signal: AbortSignal): Promise<void> {
      return new Promise((done) => {
        const listeners = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, listeners);
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          listeners.delete(end);
          if (listeners.size === 0 && waiting.get(jobId) === listeners) waiting.delete(jobId);
          done();
        };
        const timer = setTimeout(end, lookMs);
        listeners.add(end);
        signal.addEventListener("abort", end, { once: true });
        if (signal.aborted) end();
      });
    },
  };
}
