// Extractors: learned from one page of a host, run on others; pages and extractors of somebody who means harm.
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { finding } from "../../../test/support/extraction.ts";
import type { SiteRuleSet } from "./rule-set.ts";

type Schema = Record<string, unknown>;
const any = { type: "object" };
const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name"],
};
const shop = (name: string, price: string, more = "") =>
  `<html lang="en"><head><title>${name}</title></head><body><header><p>Shop of lamps</p></header><main><h1 class="name">${name}</h1>
  <p class="cost">${price}</p><p class="maker">Made by ${name} Works in Oslo</p>${more}</main></body></html>`;
const learn = (html: string, data: unknown, rules?: unknown) =>
  finding(html, { schema, prompt: null, site: { use: "learn", data, rules } }).learned as SiteRuleSet;
const run = (html: string, rules: unknown, own: Schema = schema) =>
  finding(html, { schema: own, prompt: null, site: { use: "run", rules } });

/** The values alone. */
function plain(found: unknown): unknown {
  const one = found as { kind: string; value?: unknown; fields?: Record<string, unknown>; items?: unknown[] } | null;
  if (one?.kind === "value") return one.value;
  if (one?.kind === "list") return one.items?.map(plain);
  return one?.fields
    ? Object.fromEntries(Object.entries(one.fields).map(([name, below]) => [name, plain(below)]))
    : null;
}

describe("an extractor", () => {
  it("finds on other pages of the host what one page taught it, by elements and by the words around a value", () => {
    const rules = learn(shop("Lamp", "$12.50"), { name: "Lamp", price: 12.5, maker: "Lamp Works" });
    const other = run(shop("Torch", "$1,299.00"), rules);
    expect(other.isRuled).toBe(true);
    expect(plain(other.found)).toEqual({ name: "Torch", price: 1299, maker: "Torch Works" });
  });

  it("knows meta tags, linked data, attributes, dates, durations, terms and states", () => {
    const page = (sku: string, price: string, day: string, time: string, state: string, link: string) =>
      `<html lang="en"><head><meta property="product:sku" content="${sku}"><script type="application/ld+json">{"@type":"Product","name":"N",
      "offers":{"price":"${price}","availability":"https://schema.org/${state}"}}</script></head><body><p class="on">Posted on ${day}</p>
      <p class="takes">${time}</p><p class="stock">${state === "InStock" ? "In stock" : "Sold out"}</p><a class="more" href="${link}">More</a></body></html>`;
    const data = {
      sku: "A-1",
      price: 5,
      day: "2026-05-03",
      time: 80,
      state: "InStock",
      isThere: true,
      link: "https://shop.test/a",
    };
    const rules = learn(page("A-1", "5.00", "3 May 2026", "1 h 20 min", "InStock", "/a"), data);
    const other = run(page("B-2", "7.50", "24 December 2025", "45 min", "OutOfStock", "/b?x=2"), rules, any);
    expect(plain(other.found)).toEqual({
      sku: "B-2",
      price: 7.5,
      day: "2025-12-24",
      time: 45,
      state: "OutOfStock",
      isThere: false,
      link: "https://shop.test/b?x=2",
    });
  });

  const article = (name: string, price: number, tags: string[]) =>
    `<article class="row"><h3>${name}</h3><b>${price} €</b><ul>${tags.map((tag) => `<li>${tag}</li>`).join("")}</ul></article>`;
  const list = (rows: [string, number, string[]][]) =>
    `<html><body><h1>All</h1><div class="rows">${rows.map((row) => article(...row)).join("")}</div></body></html>`;

  it("knows lists of things, with lists in them, and lists of words", () => {
    const rules = learn(
      list([
        ["Hook", 3, ["iron", "small"]],
        ["Rope", 9, ["hemp", "long"]],
      ]),
      {
        items: [
          { name: "Hook", price: 3, tags: ["iron", "small"] },
          { name: "Rope", price: 9, tags: ["hemp", "long"] },
        ],
        names: ["Hook", "Rope"],
      },
    );
    const other = list([
      ["Net", 4, ["wide"]],
      ["Oar", 8, ["ash", "oak", "long"]],
      ["Mast", 99, []],
    ]);
    expect(plain(run(other, rules, any).found)).toEqual({
      items: [
        { name: "Net", price: 4, tags: ["wide"] },
        { name: "Oar", price: 8, tags: ["ash", "oak", "long"] },
        { name: "Mast", price: 99 },
      ],
      names: ["Net", "Oar", "Mast"],
    });
  });

  it("knows rows of tables, and data that is a list as a whole", () => {
    const table = (rows: [string, number][]) =>
      `<html><body><table><tbody>${rows.map(([name, seats]) => `<tr><td>${name}</td><td>${seats}</td></tr>`).join("")}</tbody></table></body></html>`;
    const data = [
      { boat: "Aurora", seats: 120 },
      { boat: "Borealis", seats: 80 },
    ];
    const rules = learn(
      table([
        ["Aurora", 120],
        ["Borealis", 80],
      ]),
      data,
    );
    const other = run(
      table([
        ["Vega", 9],
        ["Altair", 12],
        ["Deneb", 7],
      ]),
      rules,
      { type: "array", items: { type: "object" } },
    );
    expect(plain(other.found)).toEqual([
      { boat: "Vega", seats: 9 },
      { boat: "Altair", seats: 12 },
      { boat: "Deneb", seats: 7 },
    ]);
  });

  it("that does not fit says so, and keeps what it knew when it learns more", () => {
    const rules = learn(shop("Lamp", "$12.50"), { name: "Lamp", price: 12.5 });
    const changed = `<html><body><h2 class="title">Lamp</h2><span class="eur">$12.50</span></body></html>`;
    expect(run(changed, rules).isRuled).toBeUndefined();
    const more = learn(changed, { name: "Lamp", price: 12.5 }, rules);
    expect(plain(run(changed.replace("Lamp", "Torch"), more).found)).toMatchObject({ name: "Torch", price: 12.5 });
    expect(plain(run(shop("Buoy", "$2.00"), more).found)).toMatchObject({ name: "Buoy", price: 2 });
  });

  it("leaves what it has not learned to the usual methods", () => {
    const rules = learn(shop("Lamp", "$12.50"), { name: "Lamp" });
    const wanted = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
    const html = shop("Torch", "", "<p>Price: <b>$8.00</b></p>");
    expect(plain(run(html, rules, wanted).found)).toEqual({ name: "Torch", price: 8 });
  });

  it.each([
    ["code", { version: 1, values: [{ path: ["a"], places: [{ kind: "code" }] }], lists: [] }],
    ["unknown fields", { version: 1, values: [], lists: [], run: "process.exit()" }],
    [
      "lists without an end",
      {
        version: 1,
        values: [],
        lists: [1, 2, 3].reduce((of) => [{ path: ["a"], items: "p", of: { values: [], lists: of } }], [] as unknown[]),
      },
    ],
    [
      "too much of it",
      {
        version: 1,
        values: Array.from({ length: 290 }, () => ({
          path: ["a"],
          places: [{ kind: "text", selector: "x".repeat(900) }],
        })),
        lists: [],
      },
    ],
    ["nothing", null],
    ["a text", "rm -rf"],
  ])("that is %s is not run", (_name, rules) => expect(run(shop("Lamp", "$1"), rules).isRuled).toBeUndefined());

  it("with patterns, selectors and names that are bad or slow finds nothing, and ends", () => {
    const places = [
      { kind: "text", selector: "p", pattern: "^(a+)+$" },
      { kind: "text", selector: ":has(:has(:has(*)))" },
      { kind: "text", selector: "p", pattern: "(" },
      { kind: "text", selector: "[[" },
      { kind: "text", selector: "p", attribute: "__proto__" },
    ];
    const rules = { version: 1, values: [{ path: ["__proto__"], places }], lists: [] };
    const spentMs = startCpuTimer();
    const { isRuled } = run(`<body><p>${"a".repeat(50_000)}!</p></body>`, rules, any);
    expect(isRuled).toBeUndefined();
    expect(({} as { text?: unknown }).text).toBeUndefined();
    expect(spentMs()).toBeLessThan(10_000);
  });

  it.each([
    ["many elements beside each other", `<body>${"<p class=x>Lamp</p>".repeat(4000)}</body>`],
    ["many elements in each other", `<body>${"<div class=x>".repeat(2000)}Lamp</body>`],
    [
      "many names",
      `<body>${Array.from({ length: 3000 }, (_, index) => `<i class="a${index} b${index} c d">Lamp</i>`).join("")}</body>`,
    ],
  ])("is learned from and run on pages with %s within bounds", (_name, html) => {
    const items = Array.from({ length: 100 }, () => ({ name: "Lamp", maker: "Lamp", tags: ["Lamp", "Lamp"] }));
    const wide = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, "Lamp"]));
    const spentMs = startCpuTimer();
    const rules = learn(html, { ...wide, items });
    expect(JSON.stringify(rules).length).toBeLessThanOrEqual(64 * 1024);
    run(html, rules, any);
    // Far more than it takes.
    expect(spentMs()).toBeLessThan(20_000);
  });
});
