import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { createBrowserPool } from "./browser-pool.ts";
import type { Chromium } from "./chromium-process.ts";

/** Only what a pool looks at: whether it is connected, and when it ends. */
function fakeChromium(): Chromium & { end(): void; isClosed: boolean } {
  const events = new EventEmitter();
  const fake = {
    isClosed: false,
    end() {
      fake.isClosed = true;
      events.emit("disconnected");
    },
    browser: Object.assign(events, { isConnected: () => !fake.isClosed }),
    openChannel: null,
    memoryKilledAt: 0,
    kill: () => fake.end(),
    close: async () => fake.end(),
  };
  return fake as unknown as Chromium & { end(): void; isClosed: boolean };
}

function openPool(options = { maxPages: 3, maxAgeMs: 60_000 }) {
  const started: ReturnType<typeof fakeChromium>[] = [];
  const pool = createBrowserPool(async () => {
    const chromium = fakeChromium();
    started.push(chromium);
    return chromium;
  }, options);
  return { pool, started };
}

describe("the pool of browsers", () => {
  it("starts none before it is asked, and one for all who ask at once", async () => {
    const { pool, started } = openPool();
    expect(started).toHaveLength(0);
    const leases = await Promise.all([pool.take(), pool.take()]);
    expect(started).toHaveLength(1);
    expect(leases[0]?.chromium).toBe(leases[1]?.chromium);
  });

  it("takes another after so many pages, and ends the old one with its last page", async () => {
    const { pool, started } = openPool();
    const leases = [await pool.take(), await pool.take(), await pool.take()];
    const next = await pool.take();
    expect(next.chromium).not.toBe(leases[0]?.chromium);
    leases[0]?.release();
    leases[1]?.release();
    leases[1]?.release();
    expect(started[0]?.isClosed).toBe(false);
    leases[2]?.release();
    expect(started[0]?.isClosed).toBe(true);
    expect(started[1]?.isClosed).toBe(false);
  });

  it("ends one that is too old once it is unused", async () => {
    vi.useFakeTimers();
    try {
      const { pool, started } = openPool();
      const lease = await pool.take();
      vi.advanceTimersByTime(60_000);
      expect(started[0]?.isClosed).toBe(false);
      lease.release();
      expect(started[0]?.isClosed).toBe(true);
      expect((await pool.take()).chromium).toBe(started[1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes another when one has ended or could not be started", async () => {
    const { pool, started } = openPool();
    await pool.take();
    started[0]?.end();
    expect((await pool.take()).chromium).toBe(started[1]);
    let tries = 0;
    const failing = createBrowserPool(
      async () => {
        tries += 1;
        if (tries === 1) throw new Error("not this time");
        return fakeChromium();
      },
      { maxPages: 3, maxAgeMs: 60_000 },
    );
    await expect(failing.take()).rejects.toThrow("not this time");
    await expect(failing.take()).resolves.toBeDefined();
  });

  it("ends all of them when it is closed", async () => {
    const { pool, started } = openPool();
    await pool.take();
    await pool.close();
    expect(started.map(({ isClosed }) => isClosed)).toEqual([true]);
    await expect(pool.take()).rejects.toThrow();
  });
});
