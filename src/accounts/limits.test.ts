import { afterAll, beforeAll, expect, it } from "vitest";
import { addTeam } from "../../test/store/rows.ts";
import { createTestClock } from "../../test/support/app.ts";
import { anyEngine, type FreshStore } from "../../test/support/engines.ts";
import type { KeyHolder } from "./caller.ts";
import { createLimits, requireRate } from "./limits.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await anyEngine.fresh();
});
afterAll(() => fresh.cleanup());

const clock = createTestClock("2026-11-18T09:00:15Z");
const open = (perMinute: Record<string, number>) =>
  createLimits({ store: fresh.store, clock, perMinute, credits: { requireOfKey: async () => undefined } });

async function newHolder(more: Partial<KeyHolder> = {}): Promise<KeyHolder> {
  const { id, name } = await addTeam(fresh.store);
  return { teamId: id, teamName: name, keyId: null, keyName: "key", requestsPerMinute: null, ...more };
}

async function countAllowed(limits: ReturnType<typeof open>, holder: KeyHolder, tries: number, group = "scrape") {
  let allowed = 0;
  for (let asked = 0; asked < tries; asked += 1) if ((await limits.take(holder, group))?.isAllowed) allowed += 1;
  return allowed;
}

it("as many requests as the limit pass in a minute, over all processes, and as many in the next", async () => {
  const processes = [open({ scrape: 7 }), open({ scrape: 7 })];
  const holder = await newHolder();
  let allowed = 0;
  for (let round = 0; round < 6; round += 1)
    for (const limits of processes) allowed += await countAllowed(limits, holder, 1);
  expect(allowed).toBe(7);
  const state = await processes[0]?.take(holder, "scrape");
  expect(state).toEqual({ isAllowed: false, limit: 7, remaining: 0, resetSeconds: 45 });
  expect(() => state && requireRate(state)).toThrow("Rate limit exceeded. Retry after 45s.");
  clock.advance(45_000);
  expect(await countAllowed(open({ scrape: 7 }), holder, 20)).toBe(7);
});

it("each team and group has its own limit, and 0 lets every request pass", async () => {
  const limits = open({ scrape: 2, status: 100, map: 0 });
  const [one, other] = [await newHolder(), await newHolder()];
  expect(await countAllowed(limits, one, 5)).toBe(2);
  expect(await countAllowed(limits, other, 5)).toBe(2);
  expect(await countAllowed(limits, one, 5, "status")).toBe(5);
  expect(await limits.take(one, "map")).toBeNull();
});

it("a limit of the team or of its key counts instead of the server's and beside it", async () => {
  const limits = open({ scrape: 2 });
  expect(await countAllowed(limits, await newHolder({ requestsPerMinute: 3 }), 9)).toBe(3);
  const own = await newHolder({ requestsPerMinute: 5, keyId: "a key", keyRequestsPerMinute: 1 });
  expect(await countAllowed(limits, own, 9)).toBe(1);
  expect(await countAllowed(limits, { ...own, keyId: "another key" }, 9)).toBe(1);
});
