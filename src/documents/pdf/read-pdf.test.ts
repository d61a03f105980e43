import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { handmadePdf, pdfStream } from "../../../test/support/handmade-pdf.ts";
import { pdfFolders } from "../../pages/files/pdf-folders.ts";
import type { ParsedFile, ReadFileOptions } from "../file/file-reading.ts";
import { readPdf } from "./read-pdf.ts";

const tools = { folders: pdfFolders() };

const fixture = (name: string) => readFile(new URL(`fixtures/${name}.pdf`, import.meta.url));
const read = async (name: string, options: Partial<ReadFileOptions> = {}): Promise<ParsedFile> =>
  readPdf(new Uint8Array(await fixture(name)), { mode: "fast", tools, ...options });
const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const headings = (html: string) =>
  [...html.matchAll(/<h(\d)[^>]*>(.*?)<\/h\d>/g)].map(([, level, name]) => [Number(level), text(name ?? "")]);

describe("a report from a word processor", () => {
  it("keeps its headings, list, table, link and footnote, and drops what runs over every page", async () => {
    const { html, title, author, totalPages, pagesRead, warnings } = await read("report");
    expect({ title, author, totalPages, pagesRead, warnings }).toMatchObject({
      title: "Harbour Report",
      author: "Ada Quay",
      warnings: [],
    });
    expect(totalPages).toBeGreaterThan(2);
    expect(pagesRead).toBe(totalPages);
    expect(headings(html).map(([, name]) => name)).toEqual([
      "Harbour Report",
      "Introduction",
      "Material",
      "Traffic",
      "Outlook",
    ]);
    const levels = Object.fromEntries(headings(html).map(([level, name]) => [name, level]));
    expect(levels.Introduction).toBe(levels.Outlook);
    expect(levels.Material).toBeGreaterThan(levels.Introduction as number);
    expect(html).not.toMatch(/Annual report of the harbour office|Page \d/);
    expect([...html.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, item]) => item)).toEqual([
      "Granite blocks",
      "Timber piles",
      "Steel bollards",
    ]);
    expect(html).toContain('<a href="https://example.org/harbour">the website of the harbour.</a>');
    expect(html).toMatch(/<th rowspan="2">Quay<\/th><th colspan="2">Ships<\/th>/);
    expect(html).toMatch(/<td>North<\/td><td>1,204<\/td><td>1,377<\/td>/);
    const [, id] = /figures<sup><a href="#(fn-[\d-]+)"[^>]*>1<\/a><\/sup> for details/.exec(html) ?? [];
    expect(html).toMatch(
      new RegExp(`<p id="${id}" class="footnote"[^>]*><sup>1</sup> Figures of the harbour office\\.</p>`),
    );
  });

  it("joins paragraphs over pages and gives the position of each part", async () => {
    const { html } = await read("report");
    expect(html).toMatch(/<p data-page="\d" data-box="[\d.]+ [\d.]+ [\d.]+ [\d.]+"/);
    expect(html).toMatch(/<span data-page="\d" data-box=/);
    const pages = [...html.matchAll(/<(?:p|h\d|li|table) [^>]*data-page="(\d+)"/g)].map(([, page]) => Number(page));
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
  });

  it("reads right-to-left text in its order", async () => {
    expect(text((await read("report")).html)).toContain("שלום עולם 1874");
  });

  it("takes headings and decoration from the tags where the file has them", async () => {
    const { html } = await read("tagged");
    expect(headings(html)).toEqual(
      expect.arrayContaining([
        [1, "Introduction"],
        [2, "Material"],
        [1, "Traffic"],
        [1, "Outlook"],
      ]),
    );
    expect(html).not.toMatch(/Annual report of the harbour office|Page \d/);
    expect(html).toMatch(/<td>North<\/td><td>1,204<\/td><td>1,377<\/td>/);
  });

  it("stops at maxPages, and at the end of its time with a warning that names the rest", async () => {
    const first = await read("report", { maxPages: 1 });
    expect([first.pagesRead, first.warnings]).toEqual([1, []]);
    const second = await read("report", { firstPage: 2, maxPages: 1 });
    expect([second.pagesRead, second.html.includes('data-page="1"'), second.html.includes('data-page="2"')]).toEqual([
      1,
      false,
      true,
    ]);
    await expect(read("report", { firstPage: 999 })).rejects.toThrow("no page 999");
    const seen: number[] = [];
    const late = await read("report", { hasTime: () => seen.length < 2, onPage: (page) => seen.push(page) });
    expect(late.pagesRead).toBe(2);
    expect(late.warnings[0]).toMatch(/pages 3 to \d+ were not read/);
  });
});

describe("a page with columns, a table, code and sideways text", () => {
  it.each(["columns", "rotated"])("is read in its order: %s", async (name) => {
    const { html } = await read(name);
    const plain = text(html);
    expect(headings(html).map(([, title]) => title)).toEqual(["Tides of the Northern Strait", "1.1 Heights"]);
    expect(plain.indexOf("Alpha the left")).toBeLessThan(plain.indexOf("Omega the right"));
    expect(plain).toContain("a long word is broken at the margin");
    expect(plain).toContain("nothing has finished it without a full stop");
    expect(html).toMatch(/<td>January<\/td><td>4\.21<\/td><td>0\.83<\/td>/);
    expect(html).toContain("for tide in tides:\n    if tide.high &gt; 4:\n        warn(tide)");
    expect(plain).toContain("The efficient office finds flaws.");
    expect(plain).toContain("Printed sideways");
  });
});

describe("other files", () => {
  it("shows the values of a form beside their labels", async () => {
    const plain = text((await read("form")).html);
    expect(plain).toMatch(/Name of the ship: Marie Celeste/);
    expect(plain).toMatch(/Fuel on board ☒/);
    expect(plain).toMatch(/Home port: Norwich/);
  });

  it("reads Chinese without spaces between its characters", async () => {
    expect(text((await read("chinese")).html)).toContain("港口建于一八七四年，此后扩建了三次。");
  });

  it("names pages without text when recognition is not allowed", async () => {
    const { warnings } = await read("scanned");
    expect(warnings).toEqual(['These pages have no usable text and mode "fast" does not recognize text in images: 1']);
  });

  it("names why a file cannot be read", async () => {
    await expect(read("encrypted")).rejects.toMatchObject({ name: "FileFault", kind: "encrypted" });
    const bad = new TextEncoder().encode("%PDF-1.7\nnothing of the kind");
    await expect(readPdf(bad, { mode: "fast", tools })).rejects.toMatchObject({ kind: "broken" });
    await expect(readPdf(new Uint8Array(), { mode: "fast", tools })).rejects.toMatchObject({ name: "FileFault" });
  });

  it("reads a file of 5,000 pages and 10,000 objects as far as its time goes", async () => {
    let pages = 0;
    const hasTime = () => pages < 20;
    const { totalPages, pagesRead, warnings } = await readPdf(manyPages(5000), {
      mode: "fast",
      tools,
      hasTime,
      onPage: () => {
        pages += 1;
      },
    });
    expect([totalPages, pagesRead, warnings]).toEqual([5000, 20, ["Time ran out: pages 21 to 5000 were not read"]]);
  });

  it("survives a file that is cut off or damaged anywhere", async () => {
    const whole = new Uint8Array(await fixture("columns"));
    for (const share of [0.2, 0.5, 0.9, 0.99]) {
      const part = whole.slice(0, Math.floor(whole.length * share));
      const result = await readPdf(part, { mode: "fast", tools }).catch((error: unknown) => error);
      expect(result).toSatisfy(
        (value: ParsedFile & { name?: string }) => value.name === "FileFault" || value.html !== undefined,
      );
    }
    for (let seed = 1; seed < 8; seed += 1) {
      const damaged = whole.slice();
      for (let at = seed * 37; at < damaged.length; at += 997) damaged[at] = (damaged[at] as number) ^ (seed * 31);
      const result = await readPdf(damaged, { mode: "fast", tools }).catch((error: unknown) => error);
      expect(result).toSatisfy(
        (value: ParsedFile & { name?: string }) => value.name === "FileFault" || value.html !== undefined,
      );
    }
  });
});

/** Each page has one line of text in its own object. */
function manyPages(count: number): Uint8Array {
  const kids = Array.from({ length: count }, (_, page) => `${4 + 2 * page} 0 R`).join(" ");
  const objects: (string | Uint8Array)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (let page = 0; page < count; page += 1) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      pdfStream("", `BT /F1 12 Tf 40 150 Td (This is page ${page + 1} of the register.) Tj ET`),
    );
  }
  return handmadePdf(objects);
}
