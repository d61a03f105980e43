// A signal that ends when its time is over or when another signal ends. AbortSignal.any and AbortSignal.timeout do the same
// through weak references and finalizers, which cost a request more than everything else that waits for it.

export interface Deadline {
  signal: AbortSignal;
  /** To be called when nothing waits any more: the timer and the listener go. */
  clear(): void;
}

/** The reason is a TimeoutError when the time is over, else the other signal's reason. */
export function createDeadline(other: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  const end = () => controller.abort(other.reason);
  if (other.aborted) end();
  const timer = setTimeout(() => {
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  other.addEventListener("abort", end, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      other.removeEventListener("abort", end);
    },
  };
}

/** Whether it ended because the time was over. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
