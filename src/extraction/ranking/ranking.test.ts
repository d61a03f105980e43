// The learned ranker, and candidates that it was given with it.
import { describe, expect, it } from "vitest";
import { extract } from "../../../test/support/extraction.ts";
import { candidateFeatures } from "./features.ts";
import { readRanker } from "./ranker.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const string = { type: "string" };
const number = { type: "number" };
const stored = { about: "", features: [...candidateFeatures], base: 0, trees: [] };

describe("the ranker", () => {
  it("adds up what the leaves of its trees say", () => {
    const { probability } = readRanker({ ...stored, trees: ["0:1 1:0.5 | -2 -1 1 2", "2:3 | 0 0.5"] });
    const row = new Float32Array(candidateFeatures.length);
    expect(probability(row)).toBeCloseTo(1 / (1 + Math.exp(2)), 6);
    row.set([1, 0.5, 3]);
    expect(probability(row)).toBeCloseTo(1 / (1 + Math.exp(-2.5)), 6);
  });

  it("refuses a file that was trained on other features", () => {
    const [first = "", ...others] = candidateFeatures;
    expect(() => readRanker({ ...stored, features: [...others, first] })).toThrow("does not fit this code: feature 1");
    expect(() => readRanker({ ...stored, features: others.slice(0, -1) })).toThrow("does not fit this code");
  });

  it("says how often such values were right, by the steps of its file", () => {
    const { confidence } = readRanker({
      ...stored,
      confidence: [
        [0.2, 0.4],
        [0.8, 0.9],
      ],
    });
    expect(confidence(0.5)).toBeCloseTo(0.65, 6);
    expect(confidence(0.95)).toBe(0.9);
    expect(readRanker(stored).confidence(0.5)).toBe(0.5);
  });

  it("gives each value the confidence that it is right, and none where it would be a guess", () => {
    const html = `<title>Lamp - Shop</title><h1>Lamp</h1><table><tr><th>Colour</th><td>Red</td></tr></table>`;
    const { data, evidence } = extract(html, object({ color: string, brand: string, sku: string }));
    expect(data).toEqual({ color: "Red" });
    expect(evidence.color?.confidence).toBeGreaterThan(0.5);
    expect(evidence.color?.confidence).toBeLessThanOrEqual(1);
  });
});

describe("several pairs in one paragraph", () => {
  const company = object({ founded: string, founder: string, headquarters: string, description: string });

  it("are read one by one", () => {
    const html = `<h1>Holt Boats</h1><p>Founded: 1987. Founder: Maren Holt. Headquarters: Kiel; Employees: 40.</p>`;
    expect(extract(html, company).data).toEqual({ founded: "1987", founder: "Maren Holt", headquarters: "Kiel" });
  });

  it("may follow other words, and keep the full stop of a short form", () => {
    const html = `<h1>Holt Boats</h1><p>A yard by the sea. Founder: Maren Holt Jr. Headquarters: Kiel.</p>`;
    expect(extract(html, company).data).toEqual({ founder: "Maren Holt Jr.", headquarters: "Kiel" });
  });

  it("stay together in a long text", () => {
    const html = `<h1>Holt Boats</h1><p>Description: A yard that builds boats of wood. Note: Visitors are welcome on every day.</p>`;
    const { description } = extract(html, company).data as { description: string };
    expect(description).toContain("Visitors are welcome");
  });
});

describe("figures beside their name", () => {
  it.each([
    ["behind it", "Serves 4"],
    ["before it", "4 servings"],
    ["in parts", "<b>4</b> <span>servings</span>"],
  ])("are read %s", (_, line) => {
    const html = `<title>Cake</title><h1>Cake</h1><p>${line}</p><p>A cake for the whole year, easily made.</p>`;
    expect(extract(html, object({ servings: number })).data).toEqual({ servings: 4 });
  });
});

it("an author's name goes without the label before it and the date behind it", () => {
  const html = `<title>Cake</title><h1>Cake</h1><p class="author">Author Maren Holt on May 3, 2024</p><p>Text</p>`;
  expect(extract(html, object({ author: string })).data).toEqual({ author: "Maren Holt" });
});

describe("a total time", () => {
  const times = object({ prep_time: number, cook_time: number, total_time: number });
  const page = (lines: string) =>
    `<title>Cake</title><h1>Cake</h1>${lines}<p>A cake for the whole year, easily made.</p>`;

  it("is the sum of its parts where the page shows only those", () => {
    const html = page("<p>Prep time: 20 minutes</p><p>Cook time: 40 minutes</p>");
    const { data, evidence } = extract(html, times);
    expect(data).toEqual({ prep_time: 20, cook_time: 40, total_time: 60 });
    expect(evidence.total_time?.text).toBe("20 minutes + 40 minutes");
  });

  it("is what the page says, though the parts add up to less", () => {
    const html = page("<p>Prep time: 20 minutes</p><p>Cook time: 40 minutes</p><p>Total time: 90 minutes</p>");
    expect(extract(html, times).data).toMatchObject({ total_time: 90 });
  });
});

it("a title in data goes without the site's name", () => {
  const data = JSON.stringify({ "@type": "Recipe", name: "Apple cake | Holt Kitchen", recipeYield: "4" });
  const html = `<title>Apple cake | Holt Kitchen</title><script type="application/ld+json">${data}</script><p>Text</p>`;
  expect(extract(html, object({ name: string, servings: number })).data).toEqual({ name: "Apple cake", servings: 4 });
});

it("an author is no URL", () => {
  const author = { "@id": "https://holt.test/author/1#author" };
  const data = JSON.stringify({ "@type": "Recipe", name: "Apple cake", recipeYield: "4", author });
  const html = `<title>Apple cake</title><script type="application/ld+json">${data}</script><h1>Apple cake</h1>`;
  expect(extract(html, object({ author: string, servings: number })).data).toEqual({ servings: 4 });
});

it("a value of the field's form is taken before others of its name", () => {
  const html = `<title>Old Dog</title><h1>Old Dog</h1><table><tr><th>Certificate</th><td>Canada</td></tr><tr><th>MPAA rating</th><td>PG13</td></tr></table>`;
  expect(extract(html, object({ title: string, mpaa_rating: string })).data).toMatchObject({ mpaa_rating: "PG13" });
});
