// Work that is done again and again beside the requests, such as purging. One run at a time; a run that fails is
// reported and tried again at the next turn. The timer alone does not keep the process alive.

export interface Repetition {
  /** No further run begins; a running one is awaited. */
  stop(): Promise<void>;
}

export function repeat(intervalMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
