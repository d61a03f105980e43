// Which blocks of records that look alike are kept together.
import { describe, expect, it } from "vitest";
import { parseHtml } from "../../html/parse-page.ts";
import { PageBlocks } from "./blocks.ts";
import { readElementFacts } from "./element-facts.ts";
import { smoothed } from "./smoothing.ts";

const text = "<p>A paragraph of this page has quite a number of words, so that no structure is most of it.</p>";

function pageOf(html: string): PageBlocks {
  return new PageBlocks(parseHtml(`${text}${html}${text}`).root.children, new Set());
}

describe("records alike", () => {
  const card = (name: string) =>
    `<div class="card"><h3>${name}</h3><span>Add</span><div class="price">9.99</div></div>`;
  const cards = ["one", "two", "three", "four"].map(card).join("");

  it("lean on each other in the same place, and not on paragraphs", () => {
    const page = pageOf(`<section>${cards}</section><p>more</p><p>and more</p>`);
    const facts = readElementFacts(page, new Set(), new Map(), { nodes: [], dropped: new Set() });
    const slots = Int32Array.from(page.blocks, ({ owner }) => facts.slots[owner] as number);
    const names = page.blocks.map(({ owner }) => page.elements[owner]?.element.name);
    const slotsOf = (name: string) => [...new Set(slots.filter((_, at) => names[at] === name))];
    expect(slotsOf("h3")).toHaveLength(1);
    expect(slotsOf("h3")).not.toEqual(slotsOf("div"));
    expect(slotsOf("p")).toEqual([-1]);

    const none = new Int32Array(page.blocks.length).fill(-1);
    const firstName = names.indexOf("h3");
    const alone = Float32Array.from(names, (name, at) => (name === "h3" && at !== firstName ? 0.9 : 0.1));
    const together = smoothed(page.blocks, alone, { containers: none, groups: none, slots });
    expect(together[firstName]).toBeGreaterThan(0.3);
    expect(together[names.indexOf("p")]).toBeCloseTo(0.1);
  });
});
