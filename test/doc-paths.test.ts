// What documentation, comments and programs point to exists: paths in backticks, links between pages, built modules.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const notOurs = new Set([".git", "node_modules", "dist", "data"]);

const foldersOf = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notOurs.has(entry.name))
    .map(({ name }) => name);
const folders = new Set([...foldersOf("."), ...foldersOf("src")]);

const filesOf = (folder: string, ending: string, options: { recursive: boolean } = { recursive: true }) =>
  readdirSync(join(root, folder), { ...options, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
const read = (file: string) => readFileSync(join(root, file), "utf8");

const pages = [
  ...filesOf(".", ".md", { recursive: false }),
  ...filesOf("docs", ".md"),
  ...filesOf("test/acceptance", ".md"),
  ...filesOf("src", "README.md"),
];
const sources = filesOf("src", ".ts");

/** A path has a slash, begins with a folder of the repository or of src, and holds nothing but names and stars. */
function isPath(text: string): boolean {
  const [first = "", ...rest] = text.split("/");
  const isMediaType = /^text\/(?:html|plain|markdown|csv|xml|event-stream)$/.test(text);
  return rest.length > 0 && !isMediaType && folders.has(first) && /^[\w.*/-]+$/.test(text);
}

/** Relative to the repository or to src, with or without its extension. */
function isThere(path: string): boolean {
  return ["", "src"].some((place) => ["", ".ts", ".mjs"].some((ending) => exists(join(root, place, path + ending))));
}

/** Stars stand for any characters of a name, in the last name only. */
function exists(path: string): boolean {
  if (!path.includes("*")) return existsSync(path);
  const pattern = new RegExp(`^${basename(path).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return existsSync(dirname(path)) && readdirSync(dirname(path)).some((name) => pattern.test(name));
}

const commentsOf = (source: string) => source.match(/(?<=^|\s)\/\/.*$|\/\*[\s\S]*?\*\//gm)?.join("\n") ?? "";

function missingPaths(text: string): string[] {
  const quoted = Array.from(text.replace(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g), ([, path]) => path ?? "");
  return quoted.filter((path) => isPath(path) && !isThere(path));
}

/** The names by which links reach the headings of a page. */
function anchorsOf(file: string): string[] {
  const headings = Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, title]) => title ?? "");
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(file: string): string[] {
  const links = Array.from(read(file).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g), ([, link]) => link ?? "");
  return links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

describe("every path in backticks exists", () => {
  it.each(pages)("in %s", (file) => {
    expect(missingPaths(read(file))).toEqual([]);
  });

  it("in comments of the sources", () => {
    const missing = sources.flatMap((file) => missingPaths(commentsOf(read(file))).map((path) => `${file}: ${path}`));
    expect(missing).toEqual([]);
  });
});

describe("every link between pages leads to a page and a heading of it", () => {
  it.each(pages)("in %s", (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });
});

/** The index links this folder as a whole. */
const isListedAsFolder = (file: string) => file.startsWith("docs/decisions/");

it("docs/README.md leads to every page of docs", () => {
  const linked = Array.from(read("docs/README.md").matchAll(/\]\(([^)\s#]+)/g), ([, link]) => join("docs", link ?? ""));
  const guides = pages.filter((file) => file.startsWith("docs/") && !isListedAsFolder(file));
  expect(guides.length).toBeGreaterThan(25);
  expect(guides.filter((file) => file !== "docs/README.md" && !linked.includes(file))).toEqual([]);
  expect(linked).toContain("docs/decisions");
});

it("every built module that a script or a bench loads has its source", () => {
  const programs = ["bench", "scripts", "tools"].flatMap((folder) => filesOf(folder, ".mjs"));
  const loaded = programs
    .filter((file) => !file.includes("node_modules"))
    .flatMap((file) => {
      const modules = Array.from(
        read(file).matchAll(/"(?:\.\.\/)+dist\/([\w/-]+)\.js"/g),
        ([, module]) => module ?? "",
      );
      return modules.map((module) => ({ file, source: `src/${module}.ts` }));
    });
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter(({ source }) => !existsSync(join(root, source)))).toEqual([]);
});

describe("these tests can fail", () => {
  it("with a path that does not exist, and not with what is no path", () => {
    expect(missingPaths("`src/net/gone.ts` and `net/gone` and `test/gone/*.test.ts`")).toHaveLength(3);
    expect(missingPaths("`net/guard`, `src/net`, `test/*.test.ts`, `text/html`, `/v2/scrape`, `jobs/{id}`")).toEqual(
      [],
    );
  });
});
