import { setMaxListeners } from "node:events";

/** Calls `act` when the signal aborts, unless `offAbort` came before. Never for a signal that has aborted. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  // Every page of a job waits for the job's signal, and Node 20 warns of more than ten listeners.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", act, { once: true });
}

export function offAbort(signal: AbortSignal, act: () => void): void {
  signal.removeEventListener("abort", act);
}
