import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../test/support/cpu-timer.ts";
import { diffLines, type LineDiff } from "./line-diff.ts";

/** Applies a diff to the old text, as `patch` would. */
function patch(before: string, { chunks }: LineDiff): string {
  const lines = before.split("\n");
  const result: string[] = [];
  let at = 0;
  for (const { oldStart, oldLines, changes } of chunks) {
    result.push(...lines.slice(at, oldStart - 1));
    for (const { type, content } of changes) if (type !== "del") result.push(content.slice(1));
    const kept = changes.filter(({ type }) => type !== "add").map(({ content }) => content.slice(1));
    expect(kept).toEqual(lines.slice(oldStart - 1, oldStart - 1 + oldLines));
    at = oldStart - 1 + oldLines;
  }
  return [...result, ...lines.slice(at)].join("\n");
}

describe("changes between two texts", () => {
  it("are nothing when the texts are the same", () =>
    expect(diffLines("a\nb", "a\nb")).toEqual({ text: "", chunks: [], additions: 0, deletions: 0 }));

  it("are shown as a unified diff with three lines around them", () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine";
    const { text, additions, deletions } = diffLines(before, before.replace("five", "FIVE\nfive and a half"));
    expect(text).toBe("@@ -2,7 +2,8 @@\n two\n three\n four\n-five\n+FIVE\n+five and a half\n six\n seven\n eight");
    expect([additions, deletions]).toEqual([2, 1]);
  });

  it("are also data with the numbers of the lines", () =>
    expect(diffLines("a\nb\nc", "a\nB\nc").chunks).toEqual([
      {
        content: "@@ -1,3 +1,3 @@",
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        changes: [
          { type: "normal", normal: true, ln1: 1, ln2: 1, content: " a" },
          { type: "del", del: true, ln: 2, content: "-b" },
          { type: "add", add: true, ln: 2, content: "+B" },
          { type: "normal", normal: true, ln1: 3, ln2: 3, content: " c" },
        ],
      },
    ]));

  it("far from each other are shown apart", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const after = lines.map((line, index) => (index === 5 || index === 30 ? `${line}!` : line));
    expect(diffLines(lines.join("\n"), after.join("\n")).chunks.map(({ content }) => content)).toEqual([
      "@@ -3,7 +3,7 @@",
      "@@ -28,7 +28,7 @@",
    ]);
  });

  it("make the new text of the old one, whatever both are", () => {
    const text = fc
      .array(fc.constantFrom("", "a", "b", "c", "- d"), { maxLength: 40 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patch(before, diffLines(before, after))).toBe(after);
      }),
    );
  });

  it("never show an unchanged line as changed where a shorter diff exists", () => {
    const { additions, deletions } = diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc");
    expect(additions + deletions).toBe(5);
  });

  it("of texts without a common line take bounded time, and stay right", () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `old ${index}`).join("\n");
    const after = Array.from({ length: 30_000 }, (_, index) => `new ${index}`).join("\n");
    const spentMs = startCpuTimer();
    const diff = diffLines(before, after);
    expect(spentMs()).toBeLessThan(2000);
    expect([diff.additions, diff.deletions]).toEqual([30_000, 30_000]);
  });
});
