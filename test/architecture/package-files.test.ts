// Files that start on their own, as a thread or inside a sandbox, are in the package under the names that start them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** What the package ships, with the alternatives of `{a,b}` written out. */
const shipped = new Set(
  (JSON.parse(read("package.json")) as { files: string[] }).files.flatMap((file) => {
    const [, before, names, after] = /^(.*)\{(.+)\}(.*)$/.exec(file) ?? [];
    return names === undefined ? [file] : names.split(",").map((name) => `${before}${name}${after}`);
  }),
);

const quotedIn = (text: string | undefined) => [...(text ?? "").matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? "");

it("the package ships every thread that the bundle makes", () => {
  const threads = quotedIn(/chunks\/threads",\s*files: \[([^\]]+)\]/.exec(read("scripts/bundle.mjs"))?.[1]);
  expect(threads.length).toBeGreaterThan(3);
  expect(threads.filter((file) => !shipped.has(`dist/${file}`))).toEqual([]);
});

it("the package ships every file that sandboxed programs are given", () => {
  const files = quotedIn(/const browserFiles = \[([^\]]+)\]/.exec(read("src/engines/programs/kit.ts"))?.[1]);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((name) => !shipped.has(`dist/engines/browser/${name}.js`))).toEqual([]);
});
