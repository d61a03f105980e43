import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenLedger } from "../../src/accounts/index.ts";
import { monthOf, newId } from "../../src/base/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

const month = monthOf(noon);

describe.each(engines)("tokens of the language model on $name", ({ fresh }) => {
  let opened: FreshStore;
  beforeAll(async () => {
    opened = await fresh();
  });
  afterAll(() => opened.cleanup());

  it("are summed by team, month and key, with none lost when several count at once", async () => {
    const { modelTokens } = opened.store;
    const [one, other] = [newId(), newId()];
    expect(await modelTokens.sum(one, month)).toBe(0);
    const another = await opened.openAnother();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? modelTokens : another.modelTokens).add({ teamId: one, keyId: index % 3 ? null : "k" }, month, {
          input: 100,
          output: 7,
        }),
      ),
    );
    await modelTokens.add({ teamId: one, keyId: null }, month + 1, { input: 3_000_000_000, output: 1 });
    expect(await modelTokens.sum(one, month)).toBe(2140);
    expect(await modelTokens.sum(one, month + 1)).toBe(3_000_000_001);
    expect(await modelTokens.sum(other, month)).toBe(0);
    expect(await modelTokens.listMonthsByKey(one)).toEqual([
      { month, tokens: 13 * 107, keyName: null },
      { month, tokens: 7 * 107, keyName: null },
      { month: month + 1, tokens: 3_000_000_001, keyName: null },
    ]);
    expect(await modelTokens.listMonthsByKey(other)).toEqual([]);
  });

  it("are reserved before they are used: never more than a month has, however many ask at once, in any process", async () => {
    const teamId = newId();
    await opened.store.teams.insert({ id: teamId, name: teamId, requestsPerMinute: null, createdAt: noon });
    let now = noon;
    const clock = { now: () => now };
    const ledgers = [opened.store, await opened.openAnother()].map((store) => createTokenLedger({ store, clock }));
    const payer = { teamId, keyId: null };
    const wanted = { least: 40, most: 150, limit: 1000, lastsMs: 1000.5 };
    const taken = await Promise.all(
      Array.from({ length: 24 }, (_, index) => ledgers[index % 2]?.reserve(payer, month, wanted) ?? null),
    );
    const granted = taken.map((each) => each?.granted ?? 0);
    expect(granted.toSorted((one, other) => other - one).slice(0, 8)).toEqual([150, 150, 150, 150, 150, 150, 100, 0]);
    expect(taken.find((each) => each?.granted === 0)).toMatchObject({ used: 1000 });
    expect(await opened.store.modelTokens.sum(teamId, month)).toBe(0);

    // What was not used is there for others again.
    const first = taken.find((each) => each?.granted === 150)?.id ?? "";
    await ledgers[0]?.settle(payer, month, { input: 20, output: 10 }, first);
    expect(await opened.store.modelTokens.sum(teamId, month)).toBe(30);
    expect(await ledgers[1]?.reserve(payer, month, wanted)).toMatchObject({ granted: 120, used: 880 });
    const other = { teamId: newId(), keyId: null };
    expect(await ledgers[1]?.reserve(other, month, wanted)).toMatchObject({ granted: 150, used: 0 });

    // And so is what a process had reserved that was killed.
    now += 62_000;
    expect(await ledgers[0]?.reserve(payer, month, wanted)).toMatchObject({ granted: 150, used: 30 });
  });
});
