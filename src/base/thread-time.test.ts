import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startCpuTimer } from "../../test/support/cpu-timer.ts";
import { isTimeout } from "./deadline.ts";
import { createThreadDeadline, createThreadNote, noteThread } from "./thread-time.ts";

const never = new AbortController().signal;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function burn(ms: number): void {
  const read = startCpuTimer();
  while (read() < ms);
}

it("a task whose thread has had no core yet has not used up its time, but does not wait for one for ever", () => {
  const { signal } = createThreadDeadline(never, 100, createThreadNote());
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isTimeout(signal)).toBe(true);
});

it.runIf(process.platform === "linux")("time is over when the thread has taken so much CPU for the task", () => {
  burn(60);
  const note = createThreadNote();
  noteThread(note);
  const { signal } = createThreadDeadline(never, 50, note);
  vi.advanceTimersByTime(50);
  // What it took before the task does not count.
  expect(signal.aborted).toBe(false);
  burn(200);
  vi.advanceTimersByTime(50);
  expect(isTimeout(signal)).toBe(true);
});

it("a cleared deadline is never over", () => {
  const deadline = createThreadDeadline(never, 100, createThreadNote());
  vi.advanceTimersByTime(150);
  deadline.clear();
  vi.advanceTimersByTime(5000);
  expect(deadline.signal.aborted).toBe(false);
});
