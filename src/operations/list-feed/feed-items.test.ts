import { expect, it } from "vitest";
import { livingItems, mergeItems } from "./feed-items.ts";
import { itemsOfData } from "./found-items.ts";

const dayMs = 86_400_000;
const found = (name: string, date: string | null = null) => ({
  title: name,
  url: `https://site.test/${name}`,
  date,
  summary: "",
  image: null,
});
const titles = (items: readonly { title: string }[]) => items.map(({ title }) => title);

it("items keep their ids, and a changed one is news", () => {
  const first = mergeItems("feed", [], [found("b"), found("a")], 0);
  expect([first.hasNews, titles(first.items)]).toEqual([true, ["b", "a"]]);
  const same = mergeItems("feed", first.items, [found("b"), found("a")], dayMs);
  expect([same.hasNews, same.items.map(({ id }) => id)]).toEqual([false, first.items.map(({ id }) => id)]);
  const changed = { ...found("a"), summary: "more", url: "https://site.test/a#part" };
  const next = mergeItems("feed", same.items, [changed, found("c")], 2 * dayMs);
  expect([next.hasNews, titles(next.items)]).toEqual([true, ["c", "a", "b"]]);
  expect(next.items[1]).toMatchObject({
    id: first.items[1]?.id,
    summary: "more",
    changedAt: 2 * dayMs,
    firstSeenAt: 0,
  });
  expect(next.items[0]?.id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it("items leave 30 days after the page last had them, and there are 200 at the most", () => {
  const { items } = mergeItems("feed", [], [found("old", "2026-01-01")], 0);
  const later = mergeItems("feed", items, [found("new")], 30 * dayMs - 1);
  expect(titles(later.items)).toEqual(["new", "old"]);
  expect(titles(livingItems(later.items, 30 * dayMs))).toEqual(["new"]);
  expect(titles(mergeItems("feed", later.items, [found("new")], 30 * dayMs).items)).toEqual(["new"]);
  const many = mergeItems(
    "feed",
    items,
    Array.from({ length: 250 }, (_, place) => found(`n${place}`)),
    dayMs,
  );
  expect([many.items.length, titles(many.items)]).toEqual([200, expect.not.arrayContaining(["old"])]);
});

it("data in the form of a schema become items by the names of their fields", () => {
  const items = [
    { headline: "Ship", link: "/ship", date: "2026-11-02", price: 5, description: "A ship" },
    { label: "No link", href: "javascript:alert(1)" },
    "Text",
    null,
  ];
  expect(itemsOfData({ items }, "https://site.test/list")).toEqual([
    { title: "Ship", url: "https://site.test/ship", date: "2026-11-02", summary: "A ship\nprice: 5", image: null },
    { title: "No link", url: null, date: null, summary: "", image: null },
    { title: "Text", url: null, date: null, summary: "", image: null },
  ]);
  expect(itemsOfData(undefined, "https://site.test/")).toEqual([]);
});
