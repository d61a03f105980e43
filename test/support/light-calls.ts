import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { TestApp } from "./app.ts";

/** So far apart that asking takes little from the work; whatever holds answers up for longer is met all the same. */
const pauseMs = 10;

/** Asks for something small over and over while the work runs; how long the slowest answer took, in milliseconds. */
export async function withLightCalls<Result>(app: TestApp, work: () => Promise<Result>) {
  let slowest = 0;
  let isDone = false;
  async function askUntilDone(): Promise<void> {
    while (!isDone) {
      const startedAt = performance.now();
      expect((await app.get("/v2/team/credit-usage")).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - startedAt);
      await setTimeout(pauseMs);
    }
  }
  const working = work().finally(() => {
    isDone = true;
  });
  const [result] = await Promise.all([working, askUntilDone()]);
  return { result, slowest };
}
