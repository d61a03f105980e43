import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { monthOf, newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { addTeam, makeCharge, makeKey, noon } from "./rows.ts";

const month = monthOf(noon);
const december = Date.UTC(2026, 11, 1);

describe.each(engines)("charges on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  it("sums a month, and knows 0 for a month without charges", async () => {
    const teamId = newId();
    await store.charges.charge([makeCharge(teamId, { credits: 3 }), makeCharge(teamId, { credits: 4 })]);
    await store.charges.charge([makeCharge(teamId, { credits: 5 })]);
    await store.charges.charge([]);
    expect(await store.charges.sumMonth(teamId, month)).toBe(12);
    expect(await store.charges.sumMonth(teamId, month + 1)).toBe(0);
  });

  it("counts a repeated charge once: in one call, in a later one, and at the same time", async () => {
    const teamId = newId();
    const charge = makeCharge(teamId, { credits: 5 });
    const other = makeCharge(teamId, { credits: 1 });
    await store.charges.charge([charge, charge]);
    await store.charges.charge([charge, other]);
    const another = await opened.openAnother();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? store : another).charges.charge([other, charge])),
    );
    expect(await store.charges.sumMonth(teamId, month)).toBe(6);
  });

  it("loses nothing when many charge at once through two stores", async () => {
    const teamId = newId();
    const another = await opened.openAnother();
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 ? store : another).charges.charge([
          makeCharge(teamId, { keyId: `key ${index % 3}` }),
          makeCharge(teamId, { keyId: `key ${(index + 1) % 3}` }),
        ]),
      ),
    );
    expect(await store.charges.sumMonth(teamId, month)).toBe(120);
  });

  it("writes thousands of charges in one call", async () => {
    const teamId = newId();
    await store.charges.charge(Array.from({ length: 2500 }, () => makeCharge(teamId, { credits: 2 })));
    expect(await store.charges.sumMonth(teamId, month)).toBe(5000);
  });

  it("lists months oldest first, the last instant of a month in that month", async () => {
    const teamId = newId();
    await store.charges.charge([
      makeCharge(teamId, { at: december, credits: 2 }),
      makeCharge(teamId, { at: december - 1, credits: 1 }),
    ]);
    expect(await store.charges.listMonths(teamId)).toEqual([
      { month, credits: 1 },
      { month: month + 1, credits: 2 },
    ]);
  });

  it("lists months by key: a revoked key keeps its name, charges without a key are apart", async () => {
    const team = await addTeam(store);
    const key = makeKey(team.id, { name: "old laptop" });
    await store.keys.insert(key);
    await store.keys.revoke(key.id, noon);
    await store.charges.charge([makeCharge(team.id, { keyId: key.id, credits: 4 }), makeCharge(team.id)]);
    expect(await store.charges.listMonthsByKey(team.id)).toEqual([
      { month, keyId: null, keyName: null, credits: 1 },
      { month, keyId: key.id, keyName: "old laptop", credits: 4 },
    ]);
    expect(await store.charges.listMonths(team.id)).toEqual([{ month, credits: 5 }]);
  });

  it("keeps the teams' sums apart", async () => {
    const [one, two] = [newId(), newId()];
    await store.charges.charge([makeCharge(one, { credits: 1 }), makeCharge(two, { credits: 10 })]);
    expect(await store.charges.sumMonth(one, month)).toBe(1);
    expect(await store.charges.listMonths(two)).toEqual([{ month, credits: 10 }]);
    expect(await store.charges.listMonthsByKey(newId())).toEqual([]);
  });

  it("becomes part of a caller's transaction and goes with it", async () => {
    const teamId = newId();
    await store.transaction((statements) => statements.charges.charge([makeCharge(teamId)]));
    const undone = store.transaction(async (statements) => {
      await statements.charges.charge([makeCharge(teamId, { credits: 100 })]);
      throw new Error("the page could not be saved");
    });
    await expect(undone).rejects.toThrow("the page could not be saved");
    expect(await store.charges.sumMonth(teamId, month)).toBe(1);
  });
});
