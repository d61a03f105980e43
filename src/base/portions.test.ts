import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createPortions } from "./portions.ts";

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("portions", () => {
  it("are done in their order, with a turn of the event loop between them", async () => {
    const portions = createPortions(5);
    const done: number[] = [];
    const all = Array.from({ length: 20 }, (_, number) =>
      portions.run(() => {
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

  it("reject with what the work threw, and go on", async () => {
    const portions = createPortions(1);
    const failing = portions.run(() => {
      busyFor(2);
      throw new Error("no");
    });
    const waiting = portions.run(() => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await waiting).toBe("yes");
  });

  it("let callers pass until what these do has used the turn up", async () => {
    const portions = createPortions(5);
    const begun: number[] = [];
    void portions.run(() => busyFor(6));
    const all = Array.from({ length: 20 }, async (_, number) => {
      await portions.pass();
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
