// The types that the package ships, as a program sees them that has nothing but the package.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { removeFolder } from "./support/cleanup.ts";

const root = join(import.meta.dirname, "..");

it("a strict program without the types of Node compiles against both doors, and sees nothing from inside", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trawl-types-"));
  onTestFinished(() => removeFolder(folder));
  const { useOfTypes } = await import(join(root, "scripts/client-use.mjs"));
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  // As installed: the compiler follows the link and finds what the package itself needs beside it.
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/trawl"));
  await writeFile(join(folder, "types.mts"), useOfTypes);
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", ""];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options, "types.mts"], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

it("the package names the types of its two doors, and ships no others", async () => {
  const { exports: doors, files } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  expect([doors["."].types, doors["./client"].types]).toEqual(["./dist/types/index.d.ts", "./dist/types/client.d.ts"]);
  expect(files.filter((each: string) => /types|\.ts/.test(each))).toEqual(["dist/types"]);
});
