import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { startMainThreadTimer } from "./cpu-timer.ts";

/** So far apart that asking takes little from the work; whatever holds responses up for longer is met all the same. */
const pauseMs = 10;

/**
 * Asks for something small over and over while the work runs, and sees that it is answered before the work ends. `heldMs` is
 * the most CPU, in milliseconds, that the server's thread took between a call and its response: what held it up, and not what
 * other programs on the machine did meanwhile.
 */
export async function withLightCalls<Result>(app: TestApp, work: () => Promise<Result>) {
  let heldMs = 0;
  let answered = 0;
  let isDone = false;
  async function askUntilDone(): Promise<void> {
    while (!isDone) {
      const readHeld = startMainThreadTimer();
      expect((await app.get("/v2/team/credit-usage")).status).toBe(200);
      heldMs = Math.max(heldMs, readHeld());
      if (!isDone) answered += 1;
      await setTimeout(pauseMs);
    }
  }
  const working = work().finally(() => {
    isDone = true;
  });
  const [result] = await Promise.all([working, askUntilDone()]);
  expect(answered).toBeGreaterThan(0);
  return { result, heldMs };
}
