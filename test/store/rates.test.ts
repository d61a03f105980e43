import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minuteMs, newId } from "../../src/base/index.ts";
import type { RateReservation, Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("rate windows on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  const reservation = (fields: Partial<RateReservation> = {}): RateReservation => ({
    teamId: newId(),
    group: "scrape",
    windowStart: noon,
    count: 4,
    limit: 10,
    ...fields,
  });

  it("grants until the limit, then a part, then nothing", async () => {
    const request = reservation();
    expect(await store.rates.reserve(request)).toEqual({ granted: 4, used: 4 });
    expect(await store.rates.reserve(request)).toEqual({ granted: 4, used: 8 });
    expect(await store.rates.reserve(request)).toEqual({ granted: 2, used: 10 });
    expect(await store.rates.reserve(request)).toEqual({ granted: 0, used: 10 });
  });

  it("grants no more than the limit to a first request that asks for more", async () => {
    expect(await store.rates.reserve(reservation({ count: 50 }))).toEqual({ granted: 10, used: 10 });
  });

  it("takes nothing back when the limit was lowered meanwhile", async () => {
    const request = reservation({ count: 8 });
    await store.rates.reserve(request);
    expect(await store.rates.reserve({ ...request, limit: 5 })).toEqual({ granted: 0, used: 8 });
    expect(await store.rates.reserve({ ...request, limit: 9 })).toEqual({ granted: 1, used: 9 });
  });

  it("grants nothing for nothing", async () => {
    expect((await store.rates.reserve(reservation({ count: 0 }))).granted).toBe(0);
    expect((await store.rates.reserve(reservation({ limit: 0 }))).granted).toBe(0);
  });

  it("counts teams, groups and minutes apart", async () => {
    const request = reservation({ count: 10 });
    await store.rates.reserve(request);
    for (const other of [{ teamId: newId() }, { group: "crawl" }, { windowStart: noon + minuteMs }]) {
      expect((await store.rates.reserve({ ...request, ...other })).granted).toBe(10);
    }
  });

  it("never exceeds the limit, whoever asks at the same time through two stores", async () => {
    const another = await opened.openAnother();
    const request = reservation({ limit: 101 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 ? store : another).rates.reserve({ ...request, count: 1 + (index % 3) }),
      ),
    );
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(101);
    expect(Math.max(...answers.map(({ used }) => used))).toBe(101);
  });
});
