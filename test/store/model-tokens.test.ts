import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
