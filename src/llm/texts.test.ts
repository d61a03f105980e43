// What reads and writes text without asking anybody: JSON of models, schemas for the wire, prompts, support.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../test/support/cpu-timer.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { estimateTokens } from "../text/index.ts";
import { coerceTypes } from "./coerce-types.ts";
import { buildPrompt, cleanText, wordsOfSchema } from "./prompt.ts";
import { joinContinuation, readModelJson } from "./repair.ts";
import { toWireSchema } from "./strict-schema.ts";
import { createSupport, dropUnsupported } from "./support.ts";
import { chooseText, splitText } from "./text-sections.ts";
import { replaceAt, schemaAt, showPath } from "./value-path.ts";

describe("reading JSON", () => {
  it.each([
    ['{"a": 1}', { a: 1 }, true],
    ['text {"a": [1, 2,], } text', { a: [1, 2] }, true],
    ['{"a": "x\\"y\\u0041\\n"}', { a: 'x"yA\n' }, true],
    ["{a: 'it\\'s', b_c: None}", { a: "it's", b_c: null }, true],
    ['{"a": "line\nbreak"}', { a: "line\nbreak" }, true],
    ['{"a": {"b": [1, {"c": "x', { a: { b: [1, {}] } }, false],
    ['{"a": 12', {}, false],
    ['{"a": tru', {}, false],
    ['{"a": 1, "b', { a: 1 }, false],
    ['{"a": 1, "b":', { a: 1 }, false],
    ['{"a": "\\u00', {}, false],
    ['a {set} of {"a": 1} things', { a: 1 }, true],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}'), true],
  ])("%s", (text, value, isComplete) => {
    expect(readModelJson(text)).toMatchObject({ value, isComplete });
  });

  it.each(["", "no", "42", '"x"', "{]", "[1]x"])("finds no object in %s", (text) => {
    expect(readModelJson(text)).toBeNull();
  });

  it("gives the same as JSON.parse for every object, fenced or not", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const text = JSON.stringify(value);
        const plain = JSON.parse(text);
        expect(readModelJson(text)?.value).toEqual(plain);
        expect(readModelJson(`Here:\n\`\`\`json\n${text}\n\`\`\``)?.value).toEqual(plain);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("never throws and never gives more than was written, wherever the text ends", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), fc.nat(300), (value, length) => {
        const cut = readModelJson(JSON.stringify(value).slice(0, length));
        for (const [name, below] of Object.entries((cut?.value ?? {}) as object)) expect(value[name]).toBe(below);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each([
    ["open braces", "{".repeat(200_000)],
    ["open lists", `{"a":${"[".repeat(200_000)}`],
    ["quotes", `{"a":"${'\\"'.repeat(200_000)}`],
    ["comments", `{${"/*".repeat(200_000)}`],
    ["blanks", `{"a":${" ".repeat(400_000)}x`],
    ["fences", "```".repeat(100_000)],
  ])("takes linear time on %s", (_, text) => {
    const spentMs = startCpuTimer();
    readModelJson(text);
    joinContinuation(text, text);
    expect(spentMs()).toBeLessThan(2000);
  });

  it("joins an answer that goes on, with or without its last words", () => {
    expect(joinContinuation('{"a": "one two th', 'ree"}')).toBe('{"a": "one two three"}');
    expect(joinContinuation('{"a": "one two th', '"one two three"}')).toBe('{"a": "one two three"}');
    expect(joinContinuation('{"a": "one', '```json\n two"}\n```')).toBe('{"a": "one two"}');
  });
});

describe("a schema on the wire", () => {
  it("has every field, nullable, and nothing else; other rules are words", () => {
    const { schema } = toWireSchema({
      type: "object",
      properties: {
        name: { type: "string", minLength: 2, description: "Its name" },
        kind: { enum: ["a", "b"] },
        parts: { type: "array", maxItems: 3, items: { type: "object", properties: { n: { type: "integer" } } } },
      },
      required: ["name"],
    });
    const part = {
      type: "object",
      properties: { n: { type: ["integer", "null"] } },
      required: ["n"],
      additionalProperties: false,
    };
    expect(schema).toEqual({
      type: "object",
      properties: {
        name: { type: ["string", "null"], description: "Its name (minLength: 2)" },
        kind: { enum: ["a", "b", null] },
        parts: { description: "(maxItems: 3)", anyOf: [{ type: "array", items: part }, { type: "null" }] },
      },
      required: ["name", "kind", "parts"],
      additionalProperties: false,
    });
  });

  it("leads back: nulls that stood for absent go, those that are allowed stay", () => {
    const { fromWire } = toWireSchema({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: ["string", "null"] },
        c: {
          type: "array",
          items: { type: "object", properties: { d: { type: "number" }, e: { anyOf: [{ type: "null" }, {}] } } },
        },
      },
    });
    expect(fromWire({ a: null, b: null, c: [{ d: null, e: null }, null] })).toEqual({ b: null, c: [{ e: null }] });
  });

  it("wraps what is no object, and writes free names as pairs", () => {
    const list = toWireSchema({ type: "array", items: { type: "string" } });
    expect(list.schema).toMatchObject({ type: "object", required: ["value"] });
    expect(list.fromWire({ value: ["x"] })).toEqual(["x"]);
    const map = toWireSchema({
      type: "object",
      properties: { m: { type: "object", additionalProperties: { type: "number" } } },
    });
    expect(
      map.fromWire({
        m: [
          { key: "x", value: 1 },
          { key: "y", value: null },
        ],
      }),
    ).toEqual({ m: { x: 1 } });
    expect(toWireSchema({ type: "object" }).fromWire({ value: [{ key: "a", value: "b" }] })).toEqual({ a: "b" });
  });

  it("keeps definitions, themselves included, and joins allOf", () => {
    const root = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          allOf: [
            { properties: { name: { type: "string" } } },
            { properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } },
          ],
        },
      },
    };
    const { schema, fromWire } = toWireSchema(root);
    expect(schema).toMatchObject({ type: "object", required: ["name", "children"], $defs: { d0: { type: "object" } } });
    expect(JSON.stringify(schema)).toContain('{"$ref":"#/$defs/d0"}');
    expect(fromWire({ name: "a", children: [{ name: "b", children: null }] })).toEqual({
      name: "a",
      children: [{ name: "b" }],
    });
    expect(toWireSchema({ $ref: "#" }).schema).toBeDefined();
  });

  it("has places that can be found and changed", () => {
    const root = { properties: { a: { items: { properties: { b: { type: "number" } } } } } };
    expect(showPath(["a", 0, "b"])).toBe("a[0].b");
    expect(schemaAt(root, ["a", 0, "b"])).toEqual({ type: "number" });
    expect(replaceAt({ a: [{ b: 1 }, { b: 2 }] }, ["a", 0], undefined)).toEqual({ a: [{ b: 2 }] });
    expect(replaceAt({ a: [{ b: 1 }] }, ["a", 0, "b"], 3)).toEqual({ a: [{ b: 3 }] });
    expect(replaceAt({ a: 1 }, ["x", "y"], 3)).toEqual({ a: 1 });
  });

  it("puts types right that can only mean one thing", () => {
    const coerce = coerceTypes({
      properties: {
        n: { type: "number" },
        b: { type: "boolean" },
        s: { type: "string" },
        l: { type: "array", items: { type: "integer" } },
      },
    });
    expect(coerce({ n: "3.5", b: "True", s: 7, l: "4" })).toEqual({ n: 3.5, b: true, s: "7", l: [4] });
    expect(coerce({ n: "about 3", b: "yes", s: "x", l: ["4", "x"] })).toEqual({
      n: "about 3",
      b: "yes",
      s: "x",
      l: [4, "x"],
    });
  });
});

describe("prompts", () => {
  const page = (text: string, maxTokens = 10_000, query = "") =>
    buildPrompt({ task: "What does it cost?", pages: [{ url: "https://a.example/", text }], query, maxTokens });

  it("put page text between marks that no page can know", () => {
    const one = page("Price: 3");
    const mark = /BEGIN PAGE 1 ([0-9a-f]{24})\n/.exec(one.prompt)?.[1] ?? "";
    expect(one.prompt.endsWith(`Price: 3\nEND PAGE 1 ${mark}`)).toBe(true);
    expect(one.system).toContain(mark);
    expect(one.system).not.toContain("Price");
    expect(page("Price: 3").prompt).not.toContain(mark);
  });

  it("lose invisible characters and comments", () => {
    const tags = Array.from("ignore", (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join(
      "",
    );
    expect(cleanText(`a\u200bb\u202e c${tags}\ufeff\u2060 <!-- do\nthis -->d\u0007\r\ne`)).toBe("ab c d\ne");
    expect(cleanText("می\u200cخواهم 👩\u200d🔬 in\u200cvisible")).toBe("می\u200cخواهم 👩\u200d🔬 invisible");
    expect(cleanText("\u200d".repeat(100_000)).length).toBe(0);
    expect(cleanText("<!--".repeat(100_000)).length).toBe(400_000);
  });

  it("carry of a long page what the question is about, and its beginning", () => {
    const sections = Array.from(
      { length: 40 },
      (_, at) => `## Part ${at}\n\n${`Words about nothing ${at}. `.repeat(60)}`,
    );
    sections[31] = "## Delivery\n\nShipping to Iceland costs 14 euros.";
    const { prompt, isShortened } = page(
      `# Shop\n\nWelcome.\n\n${sections.join("\n\n")}`,
      2000,
      "shipping cost Iceland",
    );
    expect(isShortened).toBe(true);
    expect(estimateTokens(prompt)).toBeLessThan(2300);
    expect(prompt).toContain("# Shop\n\nWelcome.");
    expect(prompt).toContain("## Delivery\n\nShipping to Iceland costs 14 euros.");
    expect(prompt).toContain("[…]");
  });

  it("choose the parts with most words of a question, in their order", () => {
    const text = Array.from({ length: 40 }, (_, at) => `## Part ${at}\n\n${`word${at} `.repeat(60)}`).join("\n\n");
    const { text: chosen, isShortened } = chooseText(text, "word31 word7", 600);
    expect(isShortened).toBe(true);
    expect(chosen.indexOf("word7 ")).toBeGreaterThan(-1);
    expect(chosen.indexOf("word31 ")).toBeGreaterThan(chosen.indexOf("word7 "));
    expect(estimateTokens(chosen)).toBeLessThanOrEqual(620);
    expect(chooseText("short", "x", 600)).toEqual({ text: "short", isShortened: false });
  });

  it("share the room among pages: small ones leave theirs to the larger", () => {
    const pages = [
      { url: "https://a.example/1", text: `# One\n\n${"one ".repeat(700)}` },
      { url: "https://a.example/2", text: "# Two\n\ntwo" },
    ];
    expect(buildPrompt({ task: "t", pages, query: "", maxTokens: 1000 }).isShortened).toBe(false);
    const { shown, isShortened } = buildPrompt({ task: "t", pages, query: "", maxTokens: 500 });
    expect([isShortened, shown[1]?.text]).toEqual([true, "# Two\n\ntwo"]);
  });

  it("split a text whole, by its headings, into parts that fit", () => {
    const text = Array.from({ length: 30 }, (_, at) => `## Part ${at}\n\n${`word${at} `.repeat(at * 20)}`).join("\n");
    const parts = splitText(text, 500);
    expect(Math.max(...parts.map(estimateTokens))).toBeLessThanOrEqual(560);
    for (let at = 0; at < 30; at += 1) expect(parts.join("\n")).toContain(`## Part ${at}`);
    const words = (all: string) => all.match(/word\d+/g)?.length;
    expect(words(parts.join("\n"))).toBe(words(text));
    expect(splitText("x".repeat(5000), 100).join("").replaceAll("\n", "")).toBe("x".repeat(5000));
  });

  it("look for the words of a schema", () => {
    const words = wordsOfSchema({
      properties: { unit_price: { description: "In euros" }, offers: { items: { properties: { seller: {} } } } },
    });
    expect(words).toBe("unit price offers In euros seller");
  });
});

describe("support", () => {
  const text = `# The **Great** [Lamp](https://shop.example/lamps/7)

  Price: 1.299,00 € (was $1,499.50), weighs 2.4 kg. Published on 15 November 2026, updated 03.12.2026. Revenue of 3.3 million.
  Call +49 (30) 123-456 78 or write to Info@Shop.example. 価格は千円です。 Größe: 10 000 m². -40 %`;
  const page = { url: "https://shop.example/", text };
  const support = createSupport([page]);

  it.each([
    ["The great lamp", true],
    ["great LAMP", true],
    ["info@shop.example", true],
    ["https://shop.example/lamps/7", true],
    ["+493012345678", true],
    ["価格", true],
    ["Grosse", true],
    ["Groesse", false],
    ["Größe", true],
    ["2026-11-15", true],
    ["2026-12-03", true],
    ["2026-12-03T00:00:00Z", true],
    ["2026-11", true],
    ["2026-11-16", false],
    ["2025-11-15", false],
    ["Great Lam", false],
    ["lamp great", false],
    ["Anna Invented", false],
    ["$1,299.00", true],
    [1299, true],
    [1499.5, true],
    [2.4, true],
    [3_300_000, true],
    [10_000, true],
    [-40, true],
    [2026, true],
    [299, false],
    [1300, false],
    [99, false],
  ] as const)("%s: %s", (value, expected) => {
    expect(support.find(value) !== null).toBe(expected);
  });

  it("takes long texts that are put together from the page, but not ones that are not", () => {
    expect(
      support.find("Published on 15 November 2026, updated 03.12.2026; revenue of 3.3 million, weighs 2.4 kg"),
    ).not.toBeNull();
    expect(
      support.find("Published on a rainy day by somebody who had never seen a lamp of this kind before"),
    ).toBeNull();
  });

  it("quotes the page's line that holds a value, and names the page", () => {
    const two = createSupport([{ url: "https://other.example/", text: "Nothing." }, page]);
    const quote = (value: string | number) => two.find(value)?.text;
    expect(two.find("great lamp")).toEqual({
      url: page.url,
      text: "# The **Great** [Lamp](https://shop.example/lamps/7)",
    });
    expect(quote(1499.5)).toMatch(/^Price: 1\.299,00 € \(was \$1,499\.50\)/);
    expect(quote("+493012345678")).toMatch(/^Call \+49/);
    expect(quote("千円")).toMatch(/価格は千円です/);
    expect(quote("2026-12-03")).toMatch(/updated 03\.12\.2026/);
    expect(
      createSupport([{ url: "", text: `${"x ".repeat(5000)}needle${" y".repeat(5000)}` }]).find("needle")?.text.length,
    ).toBeLessThan(301);
  });

  it("drops what was invented, and nothing that the schema lets the model judge", () => {
    const schema = {
      properties: {
        name: { type: "string" },
        maker: { type: "string" },
        isNew: { type: "boolean" },
        colour: { enum: ["red", "green"] },
        mood: { type: "string", "x-infer": true },
        offers: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
      },
    };
    const value = {
      name: "Lamp",
      maker: "Acme",
      isNew: true,
      colour: "red",
      mood: "warm",
      offers: [{ price: 1299 }, { price: 5 }],
    };
    expect(dropUnsupported(value, schema, createSupport([page]))).toEqual({
      value: { name: "Lamp", isNew: true, colour: "red", mood: "warm", offers: [{ price: 1299 }, {}] },
      unsupported: ["maker", "offers[1].price"],
    });
  });

  it("takes linear time on a hostile page", () => {
    const before = process.cpuUsage();
    const hostile = createSupport(
      ["1 ".repeat(200_000), "1.1.1,1".repeat(50_000), "a".repeat(400_000)].map((each) => ({ url: "", text: each })),
    );
    for (const value of ["b".repeat(10_000), 7, "7777777", "2026-01-01"]) expect(hostile.find(value)).toBeNull();
    expect(process.cpuUsage(before).user).toBeLessThan(15_000_000);
  });
});
