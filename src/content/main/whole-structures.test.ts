// Which parts of a page are kept together, asked of pages whose blocks were rated one by one.
import { describe, expect, it } from "vitest";
import { parseHtml } from "../tree/parse.ts";
import { PageBlocks } from "./blocks.ts";
import { ElementFacts } from "./element-facts.ts";
import { smoothed } from "./smoothing.ts";
import { keepWholeStructures } from "./whole-structures.ts";

const text = "<p>A paragraph of this page has quite a number of words, so that no structure is most of it.</p>";

function pageOf(html: string): PageBlocks {
  return new PageBlocks(parseHtml(`${text}${html}${text}`).root.children, new Set());
}

/** The blocks' own texts, of those that are kept. */
function kept(html: string, left: string): string[] {
  const page = pageOf(html);
  const texts = page.blocks.map(({ textFirst }) => page.texts[textFirst]?.data ?? "");
  const isKept = Uint8Array.from(texts, (data) => (data.includes(left) ? 0 : 1));
  keepWholeStructures(page, isKept);
  return texts.filter((data, at) => isKept[at] === 1 && !data.includes("paragraph"));
}

describe("structures that are mostly kept", () => {
  it.each([
    ["a table", "<table><tr><td>one</td><td>two</td></tr><tr><td>three</td><td>odd</td></tr></table>"],
    ["a list with its inner one", "<ul><li>one</li><li>two<ul><li>three</li><li>odd</li></ul></li></ul>"],
    ["a quote", "<blockquote><p>one</p><p>two</p><p>three</p><p>odd</p></blockquote>"],
    ["terms", "<dl><dt>one</dt><dd>two</dd><dt>three</dt><dd>odd</dd></dl>"],
  ])("are kept whole: %s", (_, html) => {
    expect(kept(html, "odd")).toEqual(["one", "two", "three", "odd"]);
  });

  it("are not filled up when little of them is kept, or when they are links", () => {
    expect(kept("<ul><li>odd</li><li>odd</li><li>three</li></ul>", "odd")).toEqual(["three"]);
    expect(kept("<ul><li><a>one</a></li><li><a>two</a></li><li><a>odd</a></li></ul>", "odd")).toEqual(["one", "two"]);
  });
});

describe("records alike", () => {
  const card = (name: string) =>
    `<div class="card"><h3>${name}</h3><span>Add</span><div class="price">9.99</div></div>`;
  const cards = ["one", "two", "three", "four"].map(card).join("");

  it("lean on each other in the same place, and not on paragraphs", () => {
    const page = pageOf(`<section>${cards}</section><p>more</p><p>and more</p>`);
    const facts = new ElementFacts(page, new Set(), new Map(), { nodes: [], dropped: new Set() });
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
