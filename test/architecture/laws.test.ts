// Laws that hold for source files whatever room they stand in, and those of pure rooms.
import { describe, expect, it } from "vitest";
import { codeOf, commentsOf, files, imports, roomOf, sources } from "./source.ts";

/** Rooms that turn bytes into content. Their threads load files and measure time; nothing else in them does. */
const pureRooms = ["content", "documents"];
const edge = /^content\/threads\//;
const pure = sources.filter((file) => pureRooms.includes(roomOf(file)) && !edge.test(file));

describe("pure rooms", () => {
  it("touch no network, disk or process", () => {
    const allowed = /^node:(buffer|string_decoder|util|crypto)$/;
    const strays = imports.filter(
      ({ file, target }) => pure.includes(file) && target.startsWith("node:") && !allowed.test(target),
    );
    expect(strays.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it.each([
    ["clock", /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bsetTimeout\(|\bsetInterval\(/],
    ["chance", /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(/],
    ["settings", /\bprocess\./],
  ])("read no %s", (_what, pattern) => {
    expect(pure.filter((file) => pattern.test(codeOf(file)))).toEqual([]);
  });
});

describe("names and comments", () => {
  it("an exported name has one meaning in the whole house", () => {
    const places = new Map<string, string[]>();
    for (const file of sources) {
      const declared = codeOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm);
      for (const [, name = ""] of declared) places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect([...places].filter(([, declaredIn]) => new Set(declaredIn).size > 1)).toEqual([]);
  });

  it("comments cite no document that the repository does not have", () => {
    const outside = /\b(?:API\.md|SAFETY|SPECIFICATION|CLIENTS\.md|DIALECTS|STEERING\.md|FACES\.md)\b|\bD\d{1,2}\b/;
    expect(files.filter((file) => outside.test(commentsOf(file)))).toEqual([]);
  });

  it("a lazy import says why it is lazy", () => {
    const strays = imports.filter(({ file, isLazy }) => isLazy && !file.includes("/index.ts"));
    expect(strays.length).toBeLessThanOrEqual(25);
  });
});
