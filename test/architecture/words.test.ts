// One concept, one term: words that are not used, in sources, comments, messages, docs and titles of tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bannedIn } from "./banned-words.ts";

/**
 * Folders and pages that still say them. Remove yours as soon as it is clean; add nothing.
 */
const pending: readonly string[] = [];

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const isTest = (file: string) => /\.test\.ts$/.test(file);
const sources = filesOf("src", /\.(?:ts|tsx|css)$/);
const tests = [...sources, ...filesOf("test", /\.ts$/)].filter(isTest);
const whole = [
  ...sources.filter((file) => !isTest(file)),
  ...["bench", "scripts", "tools"].flatMap((folder) => filesOf(folder, /\.mjs$/)),
  ...filesOf("docs", /\.md$/),
  ...filesOf("src", /\.md$/),
  ...filesOf("test/acceptance", /\.md$/),
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
];

/** Comments and titles of a test. What its pages and programs say is data. */
function wordsOfTest(source: string): string {
  const title = /\b(?:it|describe|test)(?:\.\w+)*\s*(?:\.each\([\s\S]*?\))?\(\s*(["'`])/;
  return source
    .split("\n")
    .map((line) => (/^\s*(?:\/\/|\/?\*)/.test(line) || title.test(line) || /\]\)\(["'`]/.test(line) ? line : ""))
    .join("\n");
}

/** Rooms of src, files of docs, and the other folders. */
function partOf(file: string): string {
  const names = file.split("/");
  if (names[0] === "docs" && names.length === 2) return file;
  return names.slice(0, names[0] === "src" || names[0] === "test" || names[0] === "docs" ? 2 : 1).join("/");
}

const said = new Map<string, string[]>();
for (const file of whole) said.set(partOf(file), [...(said.get(partOf(file)) ?? []), ...bannedIn(file, read(file))]);
for (const file of tests) {
  said.set(partOf(file), [...(said.get(partOf(file)) ?? []), ...bannedIn(file, wordsOfTest(read(file)))]);
}

describe("words that the field does not use", () => {
  it.each([...said].filter(([part]) => !pending.includes(part)))("are not in %s", (_part, found) => {
    expect(found).toEqual([]);
  });

  it("pending names no part that is gone", () => {
    expect(pending.filter((part) => !said.has(part))).toEqual([]);
  });
});

describe("this test can fail", () => {
  it.each([
    ["a comment", "// The page behind the wall."],
    ["an identifier", "const robotsGate = 1;"],
    ["a message", '"Nobody has it."'],
  ])("with %s", (_what, text) => {
    expect(bannedIn("src/pages/page.ts", text)).toHaveLength(1);
  });

  it.each([
    "const { rungs = [] } = details; // `rungs` of details.rungs",
    'state === "consent_wall" || isPaywall // a paywall',
    "investigate the aggregate of the gateway with a <mark>",
    "// A letter of the alphabet stands for a digit.",
  ])("not with %s", (text) => {
    expect(bannedIn("src/text/fold.ts", text)).toEqual([]);
  });
});
