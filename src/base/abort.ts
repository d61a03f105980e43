// Aborting without the cost of Node's AbortController. Node makes a signal by changing an object's prototype, which takes 5 µs, and V8
// then keeps the object, with all that its listeners hold, until it collects the whole heap. And a signal walks through its
// listeners whenever one is added or removed: that of a job has one for each of its pages.

export interface Aborter {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

export function createAborter(): Aborter {
  const signal = new LightSignal();
  return { signal: signal as unknown as AbortSignal, abort: (reason) => signal.abort(reason) };
}

/** Calls `act` when the signal aborts, unless `offAbort` came before. Never for a signal that has aborted. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  if (!signal.aborted) actsOf(signal).add(act);
}

export function offAbort(signal: AbortSignal, act: () => void): void {
  const acts = signal instanceof LightSignal ? signal.acts : actsOfOthers.get(signal);
  acts?.delete(act);
}

type Acts = Set<() => void>;

/** To everybody else an AbortSignal like any other, but for AbortSignal.any. */
class LightSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  acts: Acts | null = null;

  abort(reason: unknown = new DOMException("This operation was aborted", "AbortError")): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    if (this.acts) tell(this.acts);
    this.dispatchEvent(new Event("abort"));
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

Object.setPrototypeOf(LightSignal.prototype, AbortSignal.prototype);

/** Signals that were made elsewhere have a single listener, which tells all. */
const actsOfOthers = new WeakMap<AbortSignal, Acts>();

function actsOf(signal: AbortSignal): Acts {
  if (signal instanceof LightSignal) {
    signal.acts ??= new Set();
    return signal.acts;
  }
  const known = actsOfOthers.get(signal);
  if (known) return known;
  const acts: Acts = new Set();
  actsOfOthers.set(signal, acts);
  signal.addEventListener("abort", () => tell(acts), { once: true });
  return acts;
}

function tell(acts: Acts): void {
  const told = [...acts];
  acts.clear();
  for (const act of told) act();
}
