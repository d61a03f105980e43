// Acceptance pages cannot rot: every test title that they quote exists, and every limit that they promise is a figure of the test,
// bench, proof or decision record that the row names.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = readdirSync(join(root, "test/acceptance")).filter((file) => file.endsWith(".md"));

const testFiles = ["src", "test", "tools"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length + 1),
    ),
  )
  .filter((file) => /\.test\.ts$/.test(file) && !file.includes("node_modules"));
const sources = new Map(testFiles.map((file) => [file, read(file)]));

/** Text as it is compared: without escapes, quotes and line breaks between parts of a title. */
const plain = (text: string) =>
  text
    .replace(/["'`]\s*\+\s*["'`]/g, "")
    .replace(/\\/g, "")
    .replace(/["'`]/g, "")
    .replace(/\s+/g, " ");
const allTests = plain([...sources.values()].join("\n"));

interface Row {
  page: string;
  line: number;
  promise: string;
  shownBy: string;
}

function rowsOf(page: string, text: string): Row[] {
  return text.split("\n").flatMap((line, place) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    const shownBy = cells.at(-1) ?? "";
    if (!line.startsWith("| ") || cells.length < 2 || /^\s*-+\s*$/.test(shownBy)) return [];
    return [
      {
        page,
        line: place + 1,
        promise: cells
          .slice(0, -1)
          .join("|")
          .replace(/`[^`]*`/g, ""),
        shownBy,
      },
    ];
  });
}

/** Quoted titles; those that end or begin with an ellipsis are parts of titles. */
function titlesIn(shownBy: string): string[] {
  return [...shownBy.matchAll(/`[^`]*`|"([^"]+)"/g)].flatMap(([, title]) => (title === undefined ? [] : [title]));
}

function isTitle(title: string): boolean {
  return title
    .split(/…|%[a-z]|\$[\w.]+/)
    .map((part) => plain(part).trim())
    .every((part) => part === "" || allTests.includes(part));
}

/** Whether a quote is the heading of a page of docs that the row names, or a figure of a bench. */
function isSection(title: string, shownBy: string): boolean {
  const docs = [...shownBy.matchAll(/(?:`|\.\.\/\.\.\/)(docs\/[\w./-]+\.md)/g)].map(([, path = ""]) => path);
  const benches = [...shownBy.matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => `bench/results/${name}.json`);
  return [...docs, ...benches].some((file) => existsSync(join(root, file)) && read(file).includes(title));
}

/** The files that show a row: those that it names, benches and proofs of its commands, and those that the page gives a short name. */
function textShowing({ page, shownBy }: Row): string {
  const text = read(`test/acceptance/${page}`);
  const named = [...text.matchAll(/"([\w ./-]+)"\s+is\s+`([^`]+)`/g)].filter(([, alias = ""]) =>
    new RegExp(`(?:^|[\\s;,(])${alias.replace(/[.*+?^$()|[\]{}]/g, "\\$&")}\\b`).test(shownBy),
  );
  const commands = [...shownBy.matchAll(/npm run (bench|prove) -- ([\w-]+)/g)].flatMap(([, kind, name]) =>
    kind === "bench"
      ? [`bench/${name}.mjs`, `bench/results/${name}.json`]
      : [`scripts/proofs/${name}.mjs`, `bench/results/prove-${name}.json`],
  );
  const paths = [...shownBy.matchAll(/`((?:src|test|bench|scripts|docs|tools)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  const links = [...shownBy.matchAll(/\]\(\.\.\/\.\.\/([\w./-]+)/g)].map(([, path = ""]) => path);
  const titled = titlesIn(shownBy).flatMap((title) =>
    [...sources]
      .filter(([, source]) => plain(source).includes(plain(title.split("…")[0] ?? "").trim()))
      .map(([file]) => file),
  );
  const files = new Set([...named.map(([, , path = ""]) => path), ...commands, ...paths, ...links, ...titled]);
  return [...files]
    .filter((file) => existsSync(join(root, file)) && /\.\w+$/.test(file))
    .map(read)
    .join("\n");
}

interface Limit {
  text: string;
  value: number;
  unit: string;
}

function limitsIn(promise: string): Limit[] {
  const written =
    /(?:[≤≥]|\bat most|\bat least|\bno more than|\bwithin)\s*((?:\d[\d,]*)?\.?\d+)\s*(%|ms\b|s\b|seconds?\b|minutes?\b|hours?\b|KB\b|MB\b|GB\b|MiB\b)?/g;
  return [...promise.matchAll(written)].map(([text, figure = "", unit = ""]) => ({
    text,
    value: Number(figure.replaceAll(",", "")),
    unit,
  }));
}

const factors: Record<string, readonly number[]> = {
  "%": [0.01],
  s: [1000],
  second: [1000],
  seconds: [1000],
  minute: [60, 60_000],
  minutes: [60, 60_000],
  hour: [3600, 60],
  hours: [3600, 60],
  KB: [1000, 1024],
  MB: [1000, 1024, 1e6, 2 ** 20],
  GB: [1e9, 2 ** 30],
};

/** Whether a figure is in a text, however it is written: 1,000, 1_000, 1000, .5, 0.5 or 60_000 for a minute. */
function holdsFigure(text: string, { value, unit }: Limit): boolean {
  const shares = unit === "%" ? [1 + value / 100, 1 - value / 100] : [];
  const values = [value, ...shares, ...(factors[unit] ?? []).map((factor) => value * factor)];
  const figures = new Set(
    text
      .replace(/(?<=\d)[_,](?=\d{3})/g, "")
      .match(/\d*\.?\d+/g)
      ?.map(Number),
  );
  return values.some((each) => figures.has(each) || figures.has(Number(each.toPrecision(6))));
}

const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

describe.each(pages)("test/acceptance/%s", (page) => {
  const rows = rowsOf(page, read(`test/acceptance/${page}`));

  it("quotes titles of tests that exist", () => {
    const lost = rows.flatMap(({ line, shownBy }) =>
      titlesIn(shownBy)
        .filter((title) => !isTitle(title) && !isSection(title, shownBy))
        .map((title) => `line ${line}: ${title}`),
    );
    expect(lost).toEqual([]);
  });

  it("promises limits that are figures of what shows them", () => {
    const loose = rows.flatMap((row) => {
      const limits = limitsIn(row.promise);
      if (limits.length === 0) return [];
      const text = textShowing(row);
      return limits
        .filter((limit) => !holdsFigure(text, limit) && !new RegExp(`\\b${words[limit.value - 1]}\\b`).test(text))
        .map(({ text: limit }) => `line ${row.line}: ${limit}`);
    });
    expect(loose).toEqual([]);
  });
});

it("these tests can fail", () => {
  expect(isTitle(["a title that no test", "of this repository has"].join(" "))).toBe(false);
  expect(limitsIn("ends within 2 s, with ≤ 1,500 pages")).toMatchObject([{ value: 2 }, { value: 1500 }]);
  expect(holdsFigure("expect(ms).toBeLessThan(2_000)", { text: "", value: 2, unit: "s" })).toBe(true);
  expect(holdsFigure("expect(ms).toBeLessThan(3_000)", { text: "", value: 2, unit: "s" })).toBe(false);
});
