// Data tables of a page as rows and CSV, on pages as they are written and on pages that mean harm.
import { expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";

const tablesOf = (body: string, changes: Parameters<typeof readPage>[1] = {}) =>
  readPage(body, { formats: { ...noFormats, tables: true }, ...changes });

it("are rows with headers, caption and position, and the same as CSV", () => {
  const { tables } = tablesOf(`<main><p>Prices</p><table><caption>Boats  of the port</caption>
    <thead><tr><th>Boat</th><th>Tonnes</th></tr></thead>
    <tbody><tr><td>Aurora, the <b>old</b> one</td><td>412</td></tr><tr><td>Said "B"</td><td>-7</td></tr></tbody></table>
    <figure><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>=1+1</td></tr></table><figcaption>Letters</figcaption></figure></main>`);
  expect(tables).toEqual([
    {
      position: 1,
      caption: "Boats of the port",
      headers: ["Boat", "Tonnes"],
      rows: [
        ["Aurora, the old one", "412"],
        ['Said "B"', "-7"],
      ],
      csv: 'Boat,Tonnes\r\n"Aurora, the old one",412\r\n"Said ""B""",-7\r\n',
    },
    {
      position: 2,
      caption: "Letters",
      headers: [],
      rows: [
        ["a", "b"],
        ["c", "=1+1"],
      ],
      csv: "a,b\r\nc,'=1+1\r\n",
    },
  ]);
});

it("have merged cells in every row and column they span, and heads of several rows as one", () => {
  const { tables } = tablesOf(`<table>
    <thead><tr><th rowspan="2">Port</th><th colspan="2">Ships</th></tr><tr><th>2024</th><th>2025</th></tr></thead>
    <tr><td rowspan="2">North</td><td>1</td><td>2</td></tr><tr><td colspan="2">none</td></tr></table>`);
  expect(tables?.[0]).toMatchObject({
    headers: ["Port", "Ships / 2024", "Ships / 2025"],
    rows: [
      ["North", "1", "2"],
      ["North", "none", "none"],
    ],
  });
});

it("have a banner of the head as caption above the names, and as a row below them, never in every name", () => {
  const { tables } = tablesOf(`<table><caption>Harbour</caption><tr><th colspan="2">Ships of 2025</th></tr>
    <tr><th>Ship</th><th>Crew</th></tr><tr><th colspan="2">Sail</th></tr><tr><td>Aurora</td><td>12</td></tr></table>
    <table><tr><th colspan="2">Aurora</th></tr><tr><th>Built</th><td>1899</td></tr></table>`);
  expect(tables).toMatchObject([
    {
      caption: "Harbour / Ships of 2025",
      headers: ["Ship", "Crew"],
      rows: [
        ["Sail", "Sail"],
        ["Aurora", "12"],
      ],
    },
    { caption: "Aurora", headers: [], rows: [["Built", "1899"]] },
  ]);
});

it("are those of the whole page, without tables that lay it out and without hidden ones", () => {
  const data = (name: string) => `<table><tr><th>${name}</th><th>Count</th></tr><tr><td>x</td><td>1</td></tr></table>`;
  const page = `<body><aside>${data("aside")}</aside><main><h1>Text</h1><p>${"Some words of the text. ".repeat(40)}</p></main>
    <table role="presentation"><tr><td>Menu</td><td>${data("inner")}</td></tr></table>
    <div style="display:none">${data("hidden")}</div><footer>${data("foot")}</footer></body>`;
  const headersOf = (changes = {}) => tablesOf(page, changes).tables?.map(({ headers }) => headers[0]);
  expect(headersOf({ onlyMainContent: true })).toEqual(["aside", "inner", "foot"]);
  expect(headersOf({ excludeTags: ["aside"] })).toEqual(["inner", "foot"]);
  expect(headersOf({ includeTags: ["footer"] })).toEqual(["foot"]);
});

it("are those whose class says that they hold data, whatever their cells hold", () => {
  const inner = "<table><tr><td>1</td><td>2</td></tr></table>";
  const rows = `<tr><td>Port</td><td>${inner}</td></tr><tr><td>Sea</td><td><p>${"word ".repeat(90)}</p></td></tr>`;
  expect(tablesOf(`<table class="plain wikitable">${rows}</table>`).tables?.[0]?.rows[0]).toEqual(["Port", "12"]);
  expect(tablesOf(`<table>${rows}</table>`).tables).toEqual([]);
});

it("are an empty list for a text, with a warning", () => {
  expect(tablesOf("a,b\n1,2", { contentType: "text/plain" }).tables).toEqual([]);
});

it.each([
  [
    "spans of a thousand by a thousand",
    `<table>${'<tr><td colspan="1000" rowspan="1000">x</td><td>y</td></tr>'.repeat(2000)}</table>`,
  ],
  [
    "a long text in cells that span everything",
    `<table><tr><td rowspan="0" colspan="50">${"long ".repeat(20_000)}</td><td>y</td></tr>${"<tr><td>z</td></tr>".repeat(5000)}</table>`,
  ],
  ["tables in tables", `${"<table><tr><td>".repeat(300)}x${"</td><td>y</td></tr></table>".repeat(300)}`],
  ["five thousand tables", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>".repeat(5000)],
])("stay within bounds with %s", (_name, body) => {
  const { tables = [] } = tablesOf(body);
  expect(tables.length).toBeLessThanOrEqual(1000);
  expect(JSON.stringify(tables).length).toBeLessThan(body.length + 5_000_000);
});

it("of ten megabytes are read, and what is beyond the bounds is left out with a warning", () => {
  const row = `<tr><td>${"word ".repeat(10)}</td><td>12</td><td>34</td></tr>`;
  const { tables, warnings } = tablesOf(`<table>${row.repeat(Math.ceil((10 * 1024 * 1024) / row.length))}</table>`);
  const count = tables?.[0]?.rows.length ?? 0;
  expect(count).toBeGreaterThan(20_000);
  const cut = tablesOf(`<table>${`<tr><td>${"x".repeat(200_000)}</td><td>1</td></tr>`.repeat(62)}</table>`);
  expect(cut.tables?.[0]?.rows).toHaveLength(59);
  expect(cut.warnings).toContain("The tables of the page are too large; the rest of them was left out");
  expect(warnings.join()).not.toContain("tables of the page");
});
