// Periodic background work, such as purging. One run at a time; a run that fails is
// reported and retried at the next interval. The timer alone does not keep the process alive.

export interface Repetition {
  /** No further run starts; a running one is aborted by its signal and awaited. */
  stop(): Promise<void>;
}

/** The first run starts at once. */
export function repeat(
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, intervalMs);
  timer.unref();
  run();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
