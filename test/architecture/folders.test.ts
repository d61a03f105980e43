// Which folder of a room may import which, as data. No folders form a ring.
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectNames } from "../../src/config/dialect-names.ts";
import { imports, roomOf, sources } from "./source.ts";

/**
 * The folders of a room from the ground up: each may import those before it. "." are the files of the room itself,
 * its door aside.
 */
const floors: Record<string, readonly string[]> = {
  store: [
    "schema",
    "secrets",
    "engine",
    "blobs",
    "accounts",
    "doors",
    "browser",
    "jobs",
    "monitors",
    "notices",
    "pages",
    "archives",
    "search",
    "moving",
    "migrations",
    "upkeep",
    "opening",
  ],
  flows: ["targets", "steps", "making"],
  archive: ["warc", "keeping", "replay", "wacz", "assembly"],
  contract: ["fields", "table", "endpoints", "v1", "operations", "requests", "description"],
  cli: ["terminal", "files", "service", "verbs", "command"],
  engines: ["visitor", "page", "sandbox", "http", "browser", "programs"],
  discovery: ["patterns", "rank", "robots", "scope", "sitemaps"],
  reach: ["url-checks", "strategy", "hosts", "solver", "fetching", "attempts", "robots", "assembly"],
  site: ["sitemaps", "urls", "assembly"],
  search: ["query", "filter", "local-index", "providers", "sources", "federation", "papers", "developer", "results"],
  safety: ["patterns", "masking", "redaction", "hidden-text", "injection", "verdict"],
  content: [
    "bytes",
    "links",
    "script-data",
    "main",
    "markdown",
    "metadata",
    "outputs",
    "selection",
    "reading",
    "threads",
  ],
  detection: ["encodings", "languages"],
  documents: [
    "file",
    "kinds",
    "packages",
    "html",
    "text",
    "equations",
    "word",
    "slides",
    "sheets",
    "open-document",
    "rich-text",
    "books",
    "mail",
    "notebooks",
    "old-word",
    "old-slides",
    "archives",
    "layout",
    "ocr",
    "pdf",
    "reading",
  ],
  extraction: [
    "lexicon",
    "schema",
    "fields",
    "findings",
    "filling",
    "page",
    "values",
    "ranking",
    "methods",
    "things",
    "site-rules",
    "passages",
    "texts",
    "reading",
    "threads",
  ],
  pages: [
    "media",
    "formats",
    "answers",
    "document",
    "cache",
    "flows",
    "record",
    "changes",
    "files",
    "learning",
    "stages",
    "obtain",
    "texts",
    "assembly",
  ],
  jobs: ["engine", "pages", "extraction", "assembly"],
  dashboard: ["serving", "web"],
  notices: ["messages", "channels"],
  guides: ["pages", "reference", "lookup", "site", "web"],
  dialects: ["frame", ...dialectNames, "table"],
};

/** Features are independent: each imports only the parts that all are made of. Only their assembly imports all of them. */
const features = "operations";
const shared = "parts";
const assembly = "assembly";

const folderOf = (file: string) => file.split("/").slice(1, -1)[0] ?? ".";
const isDoor = (file: string) => /^[\w-]+\/index\.ts$/.test(file);

const inside = imports.flatMap(({ file, target, room }) => {
  const to = join(dirname(file), target);
  const isInside = target.startsWith(".") && roomOf(to) === room && file.includes("/") && to.includes("/");
  if (!isInside || isDoor(file) || folderOf(file) === folderOf(to)) return [];
  return [{ file, to, room, from: folderOf(file), into: folderOf(to) }];
});

const foldersOf = (room: string) =>
  new Set(sources.filter((file) => roomOf(file) === room && file.includes("/") && !isDoor(file)).map(folderOf));
const rooms = [...new Set(sources.map(roomOf))].filter((room) => foldersOf(room).size > 1);

describe("the folders of a room", () => {
  it("are all in the table", () => {
    const known = Object.fromEntries(Object.entries(floors).map(([room, folders]) => [room, [...folders].sort()]));
    const found = rooms
      .filter((room) => room !== features)
      .map((room): [string, string[]] => [room, [...foldersOf(room)].sort()]);
    expect(known).toEqual(Object.fromEntries(found));
  });

  it.each(Object.entries(floors))("%s: each imports only those before it", (room, folders) => {
    const upward = inside.filter(
      (each) => each.room === room && folders.indexOf(each.into) >= folders.indexOf(each.from),
    );
    expect(upward.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });

  it("operations: no feature imports another", () => {
    const across = inside.filter(
      ({ room, from, into }) => room === features && from !== assembly && (into !== shared || from === shared),
    );
    expect(across.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });
});
