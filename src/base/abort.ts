// Who wants to know that a signal aborts. A signal walks through all its listeners whenever one is added or removed, and the signal
// of a job has one for each of its pages: here each signal has a single listener, and a set of those that it tells.

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` when the signal aborts, unless `offAbort` came before. Never for a signal that has aborted. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  const known = listeners.get(signal);
  if (known) {
    known.add(act);
    return;
  }
  const acts = new Set([act]);
  listeners.set(signal, acts);
  const tell = () => {
    const told = [...acts];
    acts.clear();
    for (const each of told) each();
  };
  signal.addEventListener("abort", tell, { once: true });
}

export function offAbort(signal: AbortSignal, act: () => void): void {
  listeners.get(signal)?.delete(act);
}
