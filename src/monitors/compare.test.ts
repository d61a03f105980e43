import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../test/support/cpu-timer.ts";
import type { ChangeRules } from "../contract/index.ts";
import { createComparer } from "./compare-versions.ts";

const yesterday = Date.parse("2026-11-15T10:00:00Z");
const today = Date.parse("2026-11-16T11:30:00Z");

async function compare(
  before: string,
  after: string,
  rules: ChangeRules = {},
  json: [unknown, unknown] = [null, null],
) {
  const comparer = await createComparer(rules);
  const [old, now] = json;
  return comparer.compare({ text: before, json: old, at: yesterday }, { text: after, json: now, at: today }, false);
}

const around = (line: string) => `# News\n\nThe council met on Monday and decided little.\n\n${line}\n\nThe end.`;

describe("parts of a page that rotate", () => {
  it.each([
    ["Last updated: 2026-11-15T09:58:00Z", "Last updated: 2026-11-16T11:29:58Z"],
    ["Stand: 15.11.2026, 10:58 Uhr", "Stand: 16.11.2026, 12:29 Uhr"],
    ["Sunday, November 15, 2026", "Monday, November 16, 2026"],
    ["Today is 15 November 2026", "Today is 16 November 2026"],
    ["Posted 3 minutes ago", "Posted 2 hours ago"],
    ["1,204 views", "1,377 views"],
    ["Visitors today: 12", "Visitors today: 45"],
    ["There are 17 people online", "There are 23 people online"],
    ["Page generated in 0.031 seconds", "Page generated in 0.127 seconds"],
    ["Request id 9f86d081884c7d65", "Request id 2c26b46b68ffc68f"],
    ["© 2025 Acme", "© 2026 Acme"],
    ["![logo](https://a.example/logo.png?v=17000)", "![logo](https://a.example/logo.png?v=18000)"],
    ["Advertisement: Buy our lamps", "Advertisement: Fly to Rome"],
    ["Advertisement\n\nBuy our lamps today", "Advertisement\n\nFly to Rome for nothing"],
    [
      "[![](https://b.example/1.png)](https://ad.doubleclick.example/x?1)",
      "[![](https://b.example/2.png)](https://ad.doubleclick.example/x?2)",
    ],
  ])("%j and %j are the same", async (before, after) => {
    expect(await compare(around(before), around(after))).toEqual({ isChanged: false, diff: null, keepsEarlier: false });
  });

  it.each([
    ["The basic plan costs 9 dollars.", "The basic plan costs 12 dollars."],
    ["Version 1", "Version 2"],
    ["The concert in the town hall is on 15 November 2026", "The concert in the town hall is on 16 November 2026"],
    ["Open from 9:00 to 18:00", "Open from 10:00 to 18:00"],
    ["Delivery by 24 December 2026", "Delivery by 27 December 2026"],
    ["Advertising revenue fell by 3 percent", "Advertising revenue rose by 3 percent"],
    ["In stock", "Sold out"],
    ["12 rooms left", "2 rooms left"],
  ])("%j and %j are a change", async (before, after) => {
    const { isChanged, diff } = await compare(around(before), around(after));
    expect(isChanged).toBe(true);
    expect(diff?.text).toContain(`-${before}\n+${after}`);
  });

  it("do not show up beside a real change", async () => {
    const { diff } = await compare(around("1,204 views\n\nPrice: 9"), around("1,377 views\n\nPrice: 12"));
    expect(diff?.text).not.toContain("-1,204");
    expect(diff?.text).toContain("-Price: 9\n+Price: 12");
  });
});

describe("rules", () => {
  it("ignore what matches, within lines and whole lines", async () => {
    const rules = { ignore: ["Build \\d+", "^Weather: .*$"] };
    expect((await compare("a Build 7 b\nWeather: sun", "a Build 9 b\nWeather: rain", rules)).isChanged).toBe(false);
    expect((await compare("a Build 7 b", "a Build 9 c", rules)).isChanged).toBe(true);
  });

  it("that would take forever elsewhere take no time", async () => {
    const spentMs = startCpuTimer();
    await compare("a".repeat(5000), `${"a".repeat(5000)}!`, { ignore: ["(a+)+$", "(a|aa)+b"] });
    expect(spentMs()).toBeLessThan(2000);
  });

  it("tolerate small steps of numbers, and compare with the version before them", async () => {
    const rules = { tolerance: { "*": 1 } };
    expect(await compare("Costs 9.50 EUR", "Costs 10.00 EUR", rules)).toMatchObject({
      isChanged: false,
      keepsEarlier: true,
    });
    expect((await compare("Costs 9.50 EUR", "Costs 11.00 EUR", rules)).isChanged).toBe(true);
    const json = (from: unknown, to: unknown) => compare("x", "x", { tolerance: { price: 2 } }, [from, to]);
    expect((await json({ price: "$1,299.00" }, { price: "$1,300.50" })).isChanged).toBe(false);
    expect((await json({ price: 10 }, { price: 13 })).diff).toEqual({ json: { price: { previous: 10, current: 13 } } });
    expect((await json({ stock: 10 }, { stock: 11 })).isChanged).toBe(true);
  });

  it("ask for a share of the words", async () => {
    const before = "one two three four five six seven eight nine ten";
    const rules = { minChangedShare: 0.3 };
    expect(await compare(before, before.replace("one", "ONE!one1"), rules)).toMatchObject({
      isChanged: false,
      keepsEarlier: true,
    });
    expect((await compare(before, "a b c d five six seven eight nine ten", rules)).isChanged).toBe(true);
  });

  it("choose fields, and name them by their path", async () => {
    const before = { plans: [{ name: "Basic", price: 9 }], note: "a" };
    const after = { plans: [{ name: "Basic", price: 12 }], note: "b" };
    const changed = async (...fields: string[]) =>
      Object.keys((await compare("x", "y", { fields }, [before, after])).diff?.json ?? {});
    expect(await changed("plans")).toEqual(["plans[0].price"]);
    expect(await changed("plans[0].price")).toEqual(["plans[0].price"]);
    expect(await changed("plans.price")).toEqual(["plans[0].price"]);
    expect(await changed("plans[].price")).toEqual(["plans[0].price"]);
    expect(await changed("plans[1].price", "plan")).toEqual([]);
    expect((await compare("x", "y", { fields: ["plans[0].name"] }, [before, after])).isChanged).toBe(false);
  });

  it("wait for words to appear or disappear", async () => {
    expect((await compare("In stock", "Sold out", { appears: ["sold  OUT"] })).isChanged).toBe(true);
    expect((await compare("In stock", "Ask us", { appears: ["sold out"] })).isChanged).toBe(false);
    expect((await compare("In stock", "Ask us", { disappears: ["in stock"] })).isChanged).toBe(true);
  });
});
