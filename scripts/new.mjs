// `npm run new -- KIND NAME`: the skeleton of a format, search source, dialect, document kind, setting or verb. It compiles and its
// test passes as written; what it does is small and true, to be replaced by what it is for. Nothing is overwritten.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFormatLists } from "./format-lists.mjs";
import { dialect } from "./scaffold/dialect.mjs";
import { format } from "./scaffold/format.mjs";
import { kind } from "./scaffold/kind.mjs";
import { setting } from "./scaffold/setting.mjs";
import { source } from "./scaffold/source.mjs";
import { verb } from "./scaffold/verb.mjs";

const kinds = { format, source, dialect, kind, setting, verb };

export class ScaffoldError extends Error {}

/** Spellings of a name that is given in any of them. */
function spell(name) {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_]/);
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  return {
    kebab: words.join("-"),
    camel: words.map((word, place) => (place === 0 ? word : capital(word))).join(""),
    joined: words.join(""),
    caps: words.join("_").toUpperCase(),
    title: words.map(capital).join(" "),
  };
}

/**
 * A kind gives `files` (path -> text), `rows` and `next` (what is left to do). A row adds `text` to `file`, before or after the last
 * line that matches, or changes it by `into`. All of it is checked before anything is written.
 */
export function scaffold(root, [kindName = "", name = "", ...more]) {
  const make = Object.hasOwn(kinds, kindName) ? kinds[kindName] : undefined;
  if (!make) throw new ScaffoldError(`KIND takes one of ${Object.keys(kinds).join(", ")}.`);
  if (!/^[A-Za-z][A-Za-z\d]*(?:[-_][A-Za-z\d]+)*$/.test(name)) {
    throw new ScaffoldError(`NAME takes words of letters and digits joined by "-", such as word-count.`);
  }
  const read = (file) => readFileSync(join(root, file), "utf8");
  const made = make(spell(name), more, {
    read,
    fail: (message) => new ScaffoldError(message),
  });
  const existing = Object.keys(made.files).find((file) => existsSync(join(root, file)));
  if (existing) throw new ScaffoldError(`${existing} exists. Choose another name.`);
  const edited = new Map();
  for (const row of made.rows) edited.set(row.file, withRow(edited.get(row.file) ?? read(row.file), row));
  for (const [file, text] of [...Object.entries(made.files), ...edited]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  if (kindName === "format") writeFormatLists(root);
  return { written: Object.keys(made.files), changed: [...edited.keys()], next: made.next };
}

function withRow(text, { file, text: added, before, after, replaces, into }) {
  const stale = new ScaffoldError(
    `${file} has no place like ${before ?? after ?? replaces}: scripts/scaffold is out of date.`,
  );
  if (replaces) {
    if (!replaces.test(text)) throw stale;
    return text.replace(replaces, into);
  }
  const lines = text.split("\n");
  const place = lines.findLastIndex((line) => (before ?? after).test(line));
  if (place < 0) throw stale;
  lines.splice(before ? place : place + 1, 0, ...added.split("\n"));
  return lines.join("\n");
}

/** Lines break by the length of names, and imports are sorted by them. */
export function formatFiles(root, files) {
  const sources = files.filter((file) => /\.ts$/.test(file));
  const words = [join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--write", "--diagnostic-level=error"];
  return spawnSync(process.execPath, [...words, ...sources], { cwd: root, encoding: "utf8" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const { written, changed, next } = scaffold(root, process.argv.slice(2));
    formatFiles(root, [...written, ...changed]);
    console.log(
      [...written.map((file) => `wrote    ${file}`), ...changed.map((file) => `changed  ${file}`)].join("\n"),
    );
    console.log(["", "Next:", ...next, "Then: npm run check"].join("\n  "));
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    console.error(`${error.message}\nUse: npm run new -- ${Object.keys(kinds).join("|")} NAME`);
    process.exitCode = 1;
  }
}
