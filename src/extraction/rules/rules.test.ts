// Extractors: learnt from one page of a host, run on others; and written by somebody who means harm.
import { describe, expect, it } from "vitest";
import { finding } from "../../../test/support/extraction.ts";
import type { ExtractorRules } from "./rule.ts";

const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } }, required: ["name"] };
const shop = (name: string, price: string, more = "") =>
  `<html><head><title>${name}</title></head><body><header><p>Shop of lamps</p></header><main><h1 class="name">${name}</h1>
  <p class="cost">${price}</p><p class="maker">Made by ${name} Works in Oslo</p>${more}</main></body></html>`;
const learn = (html: string, data: unknown, rules?: unknown) =>
  finding(html, { schema, prompt: null, learn: data, ...(rules ? { rules } : {}) }).learnt as ExtractorRules;
const run = (html: string, rules: unknown, own: Record<string, unknown> = schema) => finding(html, { schema: own, prompt: null, rules });

/** The values alone. */
function plain(found: unknown): unknown {
  const one = found as { kind: string; value?: unknown; fields?: Record<string, unknown>; items?: unknown[] } | null;
  if (one?.kind === "value") return one.value;
  if (one?.kind === "list") return one.items?.map(plain);
  return one?.fields ? Object.fromEntries(Object.entries(one.fields).map(([name, below]) => [name, plain(below)])) : null;
}

describe("an extractor", () => {
  it("finds on other pages of the host what one page taught it, by elements, words around them, meta tags and linked data", () => {
    const rules = learn(shop("Lamp", "$12.50"), { name: "Lamp", price: 12.5, maker: "Lamp Works" });
    const other = run(shop("Torch", "$1,299.00"), rules);
    expect(other.isRuled).toBe(true);
    expect(plain(other.found)).toMatchObject({ name: "Torch", price: 1299 });
    const head = (sku: string, price: string) =>
      `<html><head><meta property="product:sku" content="${sku}"><script type="application/ld+json">{"@type":"Product","name":"N","offers":{"price":"${price}"}}</script></head><body><p>x</p></body></html>`;
    const fromHead = learn(head("A-1", "5.00"), { sku: "A-1", price: 5 });
    expect(plain(run(head("B-2", "7.50"), fromHead, { type: "object" }).found)).toEqual({ sku: "B-2", price: 7.5 });
  });

  it("knows lists of things and of words", () => {
    const list = (rows: [string, number][]) =>
      `<html><body><h1>All</h1><div class="rows">${rows.map(([name, price]) => `<article class="row"><h3>${name}</h3><b>${price} €</b></article>`).join("")}</div><ul class="tags">${rows.map(([name]) => `<li class="tag">${name}!</li>`).join("")}</ul></body></html>`;
    const data = { items: [{ name: "Hook", price: 3 }, { name: "Rope", price: 9 }], tags: ["Hook!", "Rope!"] };
    const rules = learn(list([["Hook", 3], ["Rope", 9]]), data);
    const other = run(list([["Net", 4], ["Oar", 8], ["Mast", 99]]), rules, { type: "object" });
    expect(plain(other.found)).toEqual({
      items: [{ name: "Net", price: 4 }, { name: "Oar", price: 8 }, { name: "Mast", price: 99 }],
      tags: ["Net!", "Oar!", "Mast!"],
    });
  });

  it("that does not fit says so, and keeps what it knew when it learns more", () => {
    const rules = learn(shop("Lamp", "$12.50"), { name: "Lamp", price: 12.5 });
    const changed = `<html><body><h2 class="title">Lamp</h2><span class="eur">$12.50</span></body></html>`;
    expect(run(changed, rules).isRuled).toBeUndefined();
    const more = learn(changed, { name: "Lamp", price: 12.5 }, rules);
    expect(plain(run(changed.replace("Lamp", "Torch"), more).found)).toMatchObject({ name: "Torch" });
    expect(plain(run(shop("Buoy", "$2.00"), more).found)).toMatchObject({ name: "Buoy", price: 2 });
  });

  it.each([
    ["code", { version: 1, values: [{ path: ["a"], kind: "code", places: [] }], lists: [] }],
    ["unknown fields", { version: 1, values: [], lists: [], run: "process.exit()" }],
    ["nothing", null],
    ["a text", "rm -rf"],
  ])("that is %s is not run", (_name, rules) => expect(run(shop("Lamp", "$1"), rules).isRuled).toBeUndefined());

  it("with patterns and selectors that are bad or slow finds nothing and ends", () => {
    const places = [{ selector: "p", pattern: "(a+)+$" }, { selector: ":has(:has(:has(*)))" }, { selector: "p", pattern: "(" }, { selector: "[[" }];
    const rules = { version: 1, values: [{ path: ["__proto__"], kind: "text", places }], lists: [] };
    const { found, isRuled } = run(`<body><p>${"a".repeat(50_000)}!</p></body>`, rules, { type: "object" });
    expect([found, isRuled]).not.toEqual([null, true]);
  });
});
