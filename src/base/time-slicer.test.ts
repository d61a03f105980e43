import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTimeSlicer } from "./time-slicer.ts";

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("a time slicer", () => {
  it("runs work in its order, with a turn of the event loop between slices", async () => {
    const slicer = createTimeSlicer(5);
    const done: number[] = [];
    const all = Array.from({ length: 20 }, (_, number) =>
      slicer.run(() => {
        busyFor(2);
        done.push(number);
        return number;
      }),
    );
    const atOnce = done.length;
    await nextTurn();
    const afterOneTurn = done.length;
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(done).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(atOnce).toBeLessThanOrEqual(3);
    expect(afterOneTurn).toBeLessThanOrEqual(6);
  });

  it("rejects with what the work threw, and goes on", async () => {
    const slicer = createTimeSlicer(1);
    const failing = slicer.run(() => {
      busyFor(2);
      throw new Error("no");
    });
    const waiting = slicer.run(() => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await waiting).toBe("yes");
  });

  it("lets callers start until what they do has used up the slice", async () => {
    const slicer = createTimeSlicer(5);
    const begun: number[] = [];
    void slicer.run(() => busyFor(6));
    const all = Array.from({ length: 20 }, async (_, number) => {
      await slicer.yieldIfBusy();
      await null;
      busyFor(2);
      begun.push(number);
    });
    await nextTurn();
    const afterOneTurn = begun.length;
    await Promise.all(all);
    expect(begun).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(afterOneTurn).toBeGreaterThanOrEqual(1);
    expect(afterOneTurn).toBeLessThanOrEqual(3);
  });
});
