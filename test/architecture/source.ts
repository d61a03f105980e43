// What the architecture tests look at: every source file, and what it imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "../../src");

export interface Import {
  file: string;
  room: string;
  target: string;
  isTypeOnly: boolean;
  /** Loaded when it is needed. */
  isLazy: boolean;
}

export const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
export const sources = files.filter((file) => !file.includes(".test."));
export const read = (file: string) => readFileSync(join(root, file), "utf8");

export function roomOf(file: string): string {
  const [first = ""] = file.split("/");
  return first.replace(/\.ts$/, "");
}

function importsOf(file: string): Import[] {
  const statement =
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;
  return Array.from(read(file).matchAll(statement), ([, type, fixed, dynamic]) => ({
    file,
    room: roomOf(file),
    target: fixed ?? dynamic ?? "",
    isTypeOnly: type !== undefined,
    isLazy: dynamic !== undefined,
  }));
}

export const imports = sources.flatMap(importsOf);
/** Imports of another room. */
export const between = imports.flatMap((each) => {
  if (!each.target.startsWith(".")) return [];
  const target = join(dirname(each.file), each.target);
  return roomOf(target) === each.room ? [] : [{ ...each, target, targetRoom: roomOf(target) }];
});


/** Comments of a source file, joined. */
export function commentsOf(file: string): string {
  return (read(file).match(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm) ?? []).join("\n");
}

/** A source file without its comments. */
export function codeOf(file: string): string {
  return read(file).replace(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm, "");
}
