// How large things may be: functions, tables in code, rooms' doors and the whole of src. Figures that are not reached yet are
// written down as they are and may only fall.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { functionsOf } from "./functions.ts";
import { codeOf, read, roomOf, sources } from "./source.ts";

/** Modules that other rooms reach through a door. A figure may only fall. */
const doors: Record<string, number> = {
  accounts: 20,
  archive: 3,
  adapters: 2,
  base: 33,
  client: 4,
  cluster: 5,
  content: 12,
  connect: 1,
  contract: 28,
  dashboard: 1,
  dialects: 5,
  discovery: 12,
  documents: 5,
  engines: 7,
  extraction: 7,
  flows: 9,
  guides: 1,
  html: 6,
  http: 2,
  jobs: 12,
  detection: 3,
  llm: 9,
  mcp: 4,
  monitors: 4,
  notices: 4,
  net: 14,
  oauth: 3,
  operations: 5,
  pages: 9,
  reach: 11,
  safety: 10,
  search: 12,
  site: 4,
  store: 16,
  text: 12,
  webhooks: 2,
  zip: 2,
};

/** Lower it to what is reached; docs/decisions/0051-size-of-src.md says where the lines are. */
const maxSourceLines = 155_861;

interface Literal {
  name: string;
  lines: number;
}

/** Literals at the top of a module that hold neither functions nor calls. */
function dataTablesOf(source: string): Literal[] {
  const lines = source.split("\n");
  return lines.flatMap((line, place) => {
    const name = /^(?:export )?const (\w+)[^=]*= [^\n]*[[{(`]$/.exec(line)?.[1];
    if (name === undefined || / => \{$/.test(line)) return [];
    const length = lines.slice(place + 1).findIndex((each) => /^[\]})`]/.test(each)) + 2;
    const body = lines.slice(place + 1, place + length - 1);
    return body.some((each) => /=>|\bz\.|\w\(/.test(each.replace(/"[^"]*"|\/.*\//g, "")))
      ? []
      : [{ name, lines: length }];
  });
}

describe("sizes", () => {
  it("no function has more than 120 lines", () => {
    const long = sources.flatMap((file) =>
      functionsOf(read(file))
        .filter(({ lines }) => lines > 120)
        .map(({ name, at, lines }) => `${file}:${at} ${name} has ${lines}`),
    );
    expect(long).toEqual([]);
  });

  it("no file has more than 400 lines", () => {
    const long = sources.filter((file) => read(file).split("\n").length > 400);
    expect(long).toEqual([]);
  });

  it("a table of plain data with more than 150 lines is a data file", () => {
    const large = sources.flatMap((file) =>
      dataTablesOf(read(file))
        .filter(({ lines }) => lines > 150)
        .map(({ name, lines }) => `${file} ${name} has ${lines}`),
    );
    expect(large).toEqual([]);
  });

  it(`src without tests has at most ${maxSourceLines} lines`, () => {
    const root = join(import.meta.dirname, "../../src");
    const written = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(
        ({ name, parentPath }) =>
          /\.(?:tsx?|css|mjs|js|sh|sql)$/.test(name) && !/\.test\.|fixtures/.test(`${parentPath}/${name}`),
      )
      .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8").split("\n").length - 1);
    expect(written.reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(maxSourceLines);
  });
});

describe("a room", () => {
  const inside = sources.filter((file) => file.includes("/"));
  const isLoose = (file: string) => file.split("/").length === 2 && !file.endsWith("/index.ts");

  it("has folders or files, not both", () => {
    const withFolders = new Set(inside.filter((file) => file.split("/").length > 2).map(roomOf));
    const loose = inside.filter((file) => isLoose(file) && withFolders.has(roomOf(file)));
    expect(loose).toEqual([]);
  });

  it.each(Object.entries(doors))("%s shows at most %i modules", (room, most) => {
    const shown = new Set(codeOf(`${room}/index.ts`).match(/(?<=from ")[^"]+/g));
    expect([...shown].length).toBeLessThanOrEqual(most);
  });

  it("has a figure for its door", () => {
    const found = inside.filter((file) => /^[^/]+\/index\.ts$/.test(file)).map(roomOf);
    expect(Object.keys(doors).sort()).toEqual(found.sort());
  });
});

describe("the pages that explain the rooms", () => {
  const root = join(import.meta.dirname, "../..");
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").trimEnd().split("\n");
  const rooms = [...new Set(sources.filter((file) => file.includes("/")).map(roomOf))];

  it.each(rooms)("%s has a README of at most 25 lines that begins with what the room is", (room) => {
    const lines = linesOf(`src/${room}/README.md`);
    expect(lines[0]).toMatch(new RegExp(`^# ${room}: .`));
    expect(lines.length).toBeLessThanOrEqual(25);
  });

  it("docs/architecture.md has at most 130 lines", () => {
    expect(linesOf("docs/architecture.md").length).toBeLessThanOrEqual(130);
  });
});

describe("base", () => {
  it("keeps nothing between calls: no variables and no collections of modules", () => {
    const state =
      /^(?:export )?(?:let |const \w+(?:: [^=]+)? = (?:create\w+\(|new (?:Map|Set|WeakMap|WeakSet|ArrayBuffer)\b(?:<[^>]*>)?\(\)))/m;
    const stateful = sources.filter((file) => roomOf(file) === "base" && state.test(codeOf(file)));
    expect(stateful).toEqual([]);
  });
});

describe("these tests can fail", () => {
  it("with a long function, whatever its form", () => {
    const body = "  step();\n".repeat(130);
    const forms = [
      `export function one({\n  deps,\n}: Deps) {\n${body}}\n`,
      `const two = async (first: string) => {\n${body}};\n`,
      `  three(first) {\n${body.replaceAll("  ", "    ")}  }\n`,
    ];
    expect(forms.flatMap(functionsOf).map(({ name, lines }) => [name, lines > 120])).toEqual([
      ["one", true],
      ["two", true],
      ["three", true],
    ]);
  });

  it("with a long list of words, not with a table of functions", () => {
    const words = `const words = [\n${'  "word",\n'.repeat(160)}];\n`;
    expect(dataTablesOf(words)).toEqual([{ name: "words", lines: 162 }]);
    expect(dataTablesOf(words.replace('"word"', "word: () => 1"))).toEqual([]);
  });
});
