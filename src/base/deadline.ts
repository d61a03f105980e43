// A signal that aborts when its time is over or when another signal aborts. AbortSignal.any and AbortSignal.timeout do the same
// with weak references and finalizers, which cost a request more than everything else that waits for it.
import { offAbort, onAbort } from "./abort.ts";

const noMore = () => 0;

export interface Deadline {
  signal: AbortSignal;
  /** Call it when nothing waits any more: it removes the timer and the listener. */
  clear(): void;
}

/**
 * The reason is a TimeoutError when the time is over, otherwise the other signal's reason. `moreMs` is asked when the time has
 * passed, and may give some more.
 */
export function createDeadline(
  other: AbortSignal,
  ms: number,
  moreMs: (waitedMs: number) => number = noMore,
): Deadline {
  const aborter = new AbortController();
  const end = () => aborter.abort(other.reason);
  if (other.aborted) end();
  let waitedMs = ms;
  let timer = setTimeout(look, ms);
  function look(): void {
    const restMs = Math.ceil(moreMs(waitedMs));
    if (restMs > 0) {
      waitedMs += restMs;
      timer = setTimeout(look, restMs);
    } else aborter.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }
  onAbort(other, end);
  return {
    signal: aborter.signal,
    clear() {
      clearTimeout(timer);
      offAbort(other, end);
    },
  };
}

/** Whether it aborted because the time was over. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
