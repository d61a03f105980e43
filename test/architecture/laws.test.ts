// Laws of all source files, and those of pure rooms.
import { describe, expect, it } from "vitest";
import { codeOf, commentsOf, files, imports, read, roomOf, sources } from "./source.ts";

/** Rooms that turn bytes into content. Their threads load files and measure time; nothing else in them does. */
const pureRooms = ["html", "safety", "content", "documents", "text", "detection"];
const edge = /^content\/threads\//;
const pure = sources.filter((file) => pureRooms.includes(roomOf(file)) && !edge.test(file));

describe("pure rooms", () => {
  it("touch no network, disk or process", () => {
    // zlib computes: bytes in, bytes out.
    const allowed = /^node:(buffer|string_decoder|util|crypto|zlib)$/;
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
    // What a thread answers to is known to its pool alone.
    for (const file of sources.filter((each) => !/\/threads\/[\w-]*worker\.ts$/.test(each))) {
      const declared = codeOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm);
      for (const [, name = ""] of declared) places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect([...places].filter(([, declaredIn]) => new Set(declaredIn).size > 1)).toEqual([]);
  });

  it("comments cite no document that the repository does not have", () => {
    const outside = /\b(?:API\.md|SAFETY|SPECIFICATION|CLIENTS\.md|DIALECTS|STEERING\.md|FACES\.md)\b|\bD\d{1,2}\b/;
    expect(files.filter((file) => !file.endsWith("decode.test.ts") && outside.test(commentsOf(file)))).toEqual([]);
  });

  it("an import that is loaded late says why", () => {
    const silent = sources.flatMap((file) => {
      const lines = read(file).split("\n");
      return lines.flatMap((line, place) => {
        if (!/(?<!typeof )\bimport\(/.test(line)) return [];
        // Beside it, or above the table that it is in.
        const top = lines.findLastIndex((each, at) => at < place && /^\S/.test(each));
        const ofTable = /^(?:export )?const /.test(lines[top] ?? "") ? [lines[top - 1] ?? ""] : [];
        const before = [...ofTable, ...lines.slice(Math.max(0, place - 8), place + 1)];
        return before.some((each) => /\/\/|\*\//.test(each)) ? [] : [`${file}:${place + 1}`];
      });
    });
    expect(silent).toEqual([]);
  });
});
