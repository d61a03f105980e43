// `npm run new`: one of each kind in a scratch copy of the tree lints and passes its own test, and compiles, which only
// `npm run prove -- scaffold` tries.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatFiles, type Scaffolded, scaffold } from "./support/scaffold.ts";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "trawl-scaffold-"));

/** The walks of docs/adding.md begin with these. */
const walks = Array.from(
  readFileSync(join(root, "docs/adding.md"), "utf8").matchAll(/`npm run new -- ([a-z]+ [\w -]+)`/g),
  ([, words = ""]) => words.split(" "),
);
const asked = [
  ["format", "page-headings"],
  ["format", "shown-length", "selection"],
  ["format", "page-gist", "answer"],
  ["format", "element-count", "browser"],
  ["setting", "ferry-pause"],
  ...walks,
];
const made: Scaffolded[] = [];

beforeAll(async () => {
  for (const name of ["src", "docs", "scripts", "tsconfig.json", "biome.json", "package.json", ".gitignore"])
    cpSync(join(root, name), join(scratch, name), { recursive: true });
  for (const name of ["acceptance", "architecture", "support"])
    cpSync(join(root, "test", name), join(scratch, "test", name), { recursive: true });
  for (const name of ["node_modules", "assets"]) symlinkSync(join(root, name), join(scratch, name));
  // The names on the command line, one after the other, as people add them.
  for (const words of asked) made.push(await scaffold(scratch, words));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: scratch, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

it("writes at most four files for a format: module, test, table row, example", () => {
  const formats = made
    .filter((_, place) => asked[place]?.[0] === "format")
    .map(({ written, changed }) => [...written, ...changed.filter((file) => !file.startsWith("test/acceptance/"))]);
  expect(formats.map((files) => files.length)).toEqual([4, 4, 4, 4, 4]);
});

it("writes what docs/adding.md begins each walk with, one of each kind", () => {
  const kinds = walks.map(([kind]) => kind);
  expect(kinds).toEqual(["format", "source", "dialect", "kind", "setting", "verb"]);
});

it("writes a row into the acceptance pages for each", () => {
  for (const { changed } of made) expect(changed.filter((file) => file.startsWith("test/acceptance/"))).toHaveLength(1);
});

it("writes what lints and passes its tests, and keeps the laws of names and folders", async () => {
  const config = `import { defineConfig } from "vitest/config";
export default defineConfig({ test: { pool: "forks", maxWorkers: 2, isolate: false } });
`;
  const files = made.flatMap(({ written, changed }) => [...written, ...changed]);
  const linted = await formatFiles(scratch, [...new Set(files)]);
  expect(linted.status, linted.stderr).toBe(0);
  writeFileSync(join(scratch, "scratch.config.ts"), config);
  const tests = made.flatMap(({ written }) => written.filter((file) => file.endsWith(".test.ts")));
  const laws = ["names", "folders"].map((name) => `test/architecture/${name}.test.ts`);
  const tested = run("node_modules/vitest/vitest.mjs", "run", "--config", "scratch.config.ts", ...tests, ...laws);
  expect(tested.status, tested.output).toBe(0);
  expect(tests).toHaveLength(asked.length);
});

it.runIf(process.env.TRAWL_PROVE === "scaffold")("writes what compiles", () => {
  const exclude = ["src/dashboard/web", "src/**/*.test.ts"];
  const settings = { extends: "./tsconfig.json", include: ["src"], exclude };
  writeFileSync(join(scratch, "tsconfig.scratch.json"), JSON.stringify(settings));
  const compiled = run("node_modules/typescript/bin/tsc", "-p", "tsconfig.scratch.json", "--checkers", "1");
  expect(compiled).toEqual({ status: 0, output: "" });
});

it.each([
  [["format", "page-headings"], "exists. Choose another name."],
  [["format", "Wrong!"], "NAME takes words of letters and digits"],
  [["format", "other", "thin-air"], "A format is made from one of tree, selection, text, answer, browser"],
  [["planet", "mars"], "KIND takes one of format, source, dialect, kind, setting, verb."],
  [["kind", "much-too-long"], "A kind takes the ending of its files"],
  [["setting", "other", "nowhere"], "A setting is in one of"],
])("says what is wrong with %j, and writes nothing", async (words, message) => {
  const count = () => readdirSync(join(scratch, "src"), { recursive: true }).length;
  const before = [count(), readFileSync(join(scratch, "src/contract/fields/formats.ts"), "utf8")];
  await expect(scaffold(scratch, words)).rejects.toThrow(message);
  expect([count(), readFileSync(join(scratch, "src/contract/fields/formats.ts"), "utf8")]).toEqual(before);
});
