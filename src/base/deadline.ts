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

/** Pages of a job begin in bursts; those of one burst share a deadline, which ends this much later at most. */
const burstMs = 25;

/** Deadlines for much work under few signals. What begins within a moment, with the same time, shares a timer and a listener. */
export function createSharedDeadlines(): (other: AbortSignal, ms: number) => Deadline {
  let latest: { other: AbortSignal; ms: number; until: number; users: number; deadline: Deadline } | null = null;

  return (other, ms) => {
    const now = performance.now();
    if (latest === null || latest.other !== other || latest.ms !== ms || latest.until < now || other.aborted) {
      const deadline = createDeadline(other, ms + burstMs);
      latest = { other, ms, until: now + burstMs, users: 0, deadline };
    }
    const shared = latest;
    shared.users += 1;
    let isCleared = false;
    return {
      signal: shared.deadline.signal,
      clear() {
        if (isCleared) return;
        isCleared = true;
        shared.users -= 1;
        if (shared.users > 0) return;
        if (latest === shared) latest = null;
        shared.deadline.clear();
      },
    };
  };
}

/** Whether it aborted because the time was over. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** What is given instead when the time is over first. */
export async function orElse<Value, Instead>(
  promise: Promise<Value>,
  ms: number,
  instead: Instead,
): Promise<Value | Instead> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Instead>((done) => {
    timer = setTimeout(() => done(instead), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
