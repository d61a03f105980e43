// Which pictures stay beside kept text when the words around them are left out.
import { describe, expect, it } from "vitest";
import { isElement } from "../../html/nodes.ts";
import { parseHtml } from "../../html/parse-page.ts";
import { PageBlocks } from "./blocks.ts";
import { isFigureBesideText } from "./figures.ts";

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
const picture = '<img src="/ice.jpg" alt="Ice">';

/** Whether the element with the id "it" stays, when paragraphs are kept and all else is left out. */
function stays(html: string): boolean {
  const page = new PageBlocks(parseHtml(`<html><body>${html}</body></html>`).root.children, new Set());
  const nameOf = (owner: number) => page.elements[owner]?.element.name;
  const isKept = Uint8Array.from(page.blocks, ({ owner }) => (nameOf(owner) === "p" ? 1 : 0));
  const place = page.elements.findIndex(({ element }) => isElement(element) && element.attribs["id"] === "it");
  return isFigureBesideText(page, place, isKept);
}

describe("the picture of a figure", () => {
  const text = `<p>${words(10)}</p>`;
  const figure = `<figure id="it">${picture}<button>Open the gallery</button></figure>`;

  it.each([
    ["after a text", `${text}${figure}`],
    ["before a text", `${figure}${text}`],
    ["in an element with other words", `${text}<div id="it"><div>Advertisement</div><figure>${picture}</figure></div>`],
    ["in a part of the figure", `<figure><div id="it">${picture}<button>Share</button></div>${text}</figure>`],
    ["one element further in", `${text}<div>${figure}</div>`],
  ])("stays beside kept text: %s", (_, html) => {
    expect(stays(html)).toBe(true);
  });

  it.each([
    ["no figure", `${text}<div id="it">${picture}<button>Share</button></div>`],
    ["no picture", `${text}<figure id="it"><div>Chart 1</div></figure>`],
    ["the text is a label", `<p>${words(9)}</p>${figure}`],
    ["the text is further away", `<div>${text}</div><div><div>${figure}</div></div>`],
    ["many words are left out", `${text}<figure id="it">${picture}<div>${words(26)}</div></figure>`],
  ])("is left out where %s", (_, html) => {
    expect(stays(html)).toBe(false);
  });
});
