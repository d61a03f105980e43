// Which room may import which (docs/architecture.md), and the four laws, as data.
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import rooms from "./rooms.json" with { type: "json" };
import { between, files, imports, read, roomOf, sources } from "./source.ts";

/** Of rooms.json, which docs/architecture.md is made from, too. `room:types` allows type imports only. */
const mayImport: Record<string, string[]> = rooms;

/** Packages that only one room may use, because using them is that room's subject. */
const reserved: { packages: RegExp; rooms: string[]; law: string }[] = [
  { packages: /^(kysely|libsql|pg)$/, rooms: ["store"], law: "only store writes SQL" },
  { packages: /^(undici|axios|got|node-fetch|ws)$/, rooms: ["net"], law: "only net goes out" },
  {
    packages: /^node:(https|http2|tls|dns|dgram|net|http)(\/.*)?$/,
    rooms: ["net", "http", "base", "config"],
    law: "only net goes out",
  },
  { packages: /^aws4fetch$/, rooms: ["adapters"], law: "only the S3 adapter signs requests to object stores" },
  { packages: /^nodemailer$/, rooms: ["adapters"], law: "only the mailer sends email" },
  { packages: /^croner$/, rooms: ["monitors"], law: "only monitors know when they run" },
  { packages: /^@ai-sdk\/.*$/, rooms: ["llm"], law: "only llm asks language models" },
  { packages: /^(@fastify\/.*|fastify)$/, rooms: ["http", "mcp", "dashboard"], law: "only faces see requests" },
];

describe("the house", () => {
  it("was read whole", () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(sources.length);
    expect(between.length).toBeGreaterThan(40);
  });

  it("has only rooms of the table", () => {
    expect(new Set(sources.map(roomOf))).toEqual(
      new Set(Object.keys(mayImport).filter((room) => sources.some((file) => roomOf(file) === room))),
    );
  });

  it("keeps to the import table", () => {
    const forbidden = between.filter(({ room, targetRoom, isTypeOnly }) => {
      const allowed = mayImport[room] ?? [];
      return !allowed.includes(targetRoom) && !(isTypeOnly && allowed.includes(`${targetRoom}:types`));
    });
    expect(forbidden.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it("is entered through doors only", () => {
    const aroundDoors = between.filter(({ target }) => target.includes("/") && !/^[\w-]+\/index\.ts$/.test(target));
    expect(aroundDoors.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it.each(reserved)("$packages stays in $rooms: $law", ({ packages, rooms }) => {
    const strays = imports.filter(({ target, room }) => packages.test(target) && !rooms.includes(room));
    expect(strays.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it.each(["llm", "extraction", "dashboard", "guides"])(
    "loads %s with its first use, so that an idle server stays small",
    (room) => {
      const early = between.filter(
        ({ targetRoom, isTypeOnly, isLazy }) => targetRoom === room && !isTypeOnly && !isLazy,
      );
      expect(early.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
    },
  );

  it.each(["nodemailer"])("loads %s with its first use, which comes with its setting only", (name) => {
    const ways = imports.filter(({ target, isTypeOnly }) => target === name && !isTypeOnly);
    expect(ways.map(({ isLazy }) => isLazy)).toEqual([true]);
  });

  it("reads the environment in config.ts only", () => {
    expect(sources.filter((file) => /\bprocess\s*\.\s*env\b/.test(read(file)))).toEqual(["config.ts"]);
  });

  it("never calls the global fetch, which no guard sees", () => {
    expect(sources.filter((file) => /(?<![.\w])fetch\(/.test(read(file)) && roomOf(file) !== "net")).toEqual([]);
  });

  it("never joins signals by AbortSignal.any, whose sources Node 20 may collect before they fire", () => {
    expect(sources.filter((file) => /AbortSignal\.any\(/.test(read(file)))).toEqual([]);
  });

  it("has no circles: no file needs one that needs it, be it for a type", () => {
    const needs = new Map(
      sources.map((file) => [
        file,
        imports
          .filter((each) => each.file === file && each.target.startsWith(".") && !each.isLazy)
          .map(({ target }) => join(dirname(file), target)),
      ]),
    );
    const state = new Map<string, "open" | "done">();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]) => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") return void circles.push([...way.slice(way.indexOf(file)), file].join(" -> "));
      state.set(file, "open");
      for (const target of needs.get(file) ?? []) visit(target, [...way, file]);
      state.set(file, "done");
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("gives sandboxed programs every file that theirs need", () => {
    const inside = "engines/programs/inside/";
    const [, listed = ""] = /const browserFiles = \[([^\]]*)\]/.exec(read("engines/programs/kit.ts")) ?? [];
    const shared = [...listed.matchAll(/"([\w-]+)"/g)].map(([, name]) => `engines/browser/${name}.ts`);
    const kit = new Set([...sources.filter((file) => file.startsWith(inside)), ...shared]);
    const missing = imports
      .filter(({ file, target, isTypeOnly }) => kit.has(file) && target.startsWith(".") && !isTypeOnly)
      .filter(({ file, target }) => !kit.has(join(dirname(file), target)));
    expect(shared.length).toBeGreaterThan(5);
    expect(missing.map(({ file, target }) => `${file} needs ${target}`)).toEqual([]);
  });

  it("names no file after nothing", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|types)\.tsx?$/.test(file))).toEqual([]);
  });
});
