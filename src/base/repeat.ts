// Work that is done again and again beside the requests, such as purging. One run at a time; a run that fails is
// reported and tried again at the next turn. The timer alone does not keep the process alive.

export interface Repetition {
  /** No further run begins; a running one hears it by its signal and is awaited. */
  stop(): Promise<void>;
}

/** The first run begins at once. */
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
