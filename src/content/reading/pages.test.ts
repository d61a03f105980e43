// Ten pages of ours, in which every element says whether its text belongs to the main part.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import { attribute, isElement, isText, walk } from "../../html/nodes.ts";
import { parseHtml } from "../../html/parse-page.ts";

const folder = join(import.meta.dirname, "fixtures");
const names = readdirSync(folder).filter((name) => name.endsWith(".page"));

function expected(html: string, mark: string): string[] {
  const texts: string[] = [];
  walk(parseHtml(html).root, (node) => {
    if (!isElement(node) || attribute(node, "data-expect") !== mark) return true;
    walk(node, (below) => {
      if (isText(below) && /\p{L}{3}/u.test(below.data)) texts.push(words(below.data));
      return true;
    });
    return false;
  });
  return texts;
}

/** Only letters and digits: markup and escapes do not matter here. */
function words(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

function read(html: string, onlyMainContent: boolean) {
  return readPage(html, { formats: { ...noFormats, markdown: true, html: true }, onlyMainContent });
}

describe.each(names)("%s", (name) => {
  const html = readFileSync(join(folder, name), "utf8");
  const keep = expected(html, "keep");
  const drop = expected(html, "drop");
  const banner = expected(html, "banner");

  it("gives all of the main text and nothing of its frame", () => {
    const text = words(read(html, true).markdown ?? "");
    expect(keep.filter((each) => !text.includes(each))).toEqual([]);
    expect([...drop, ...banner].filter((each) => text.includes(each))).toEqual([]);
    expect(keep.length).toBeGreaterThan(5);
    expect(drop.length).toBeGreaterThan(3);
  });

  it("gives the same part as html", () => {
    const text = words(read(html, true).html?.replace(/&amp;/g, "&") ?? "");
    expect(drop.filter((each) => text.includes(each))).toEqual([]);
  });

  it("gives everything that can be seen but banners for consent when the whole page is asked for", () => {
    const text = words(read(html, false).markdown ?? "");
    expect([...keep, ...drop].filter((each) => !text.includes(each))).toEqual([]);
    expect(banner.filter((each) => text.includes(each))).toEqual([]);
  });
});

describe("the fixture pages", () => {
  it("are ten", () => expect(names).toHaveLength(10));
});
