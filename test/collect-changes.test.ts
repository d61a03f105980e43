// Files of changes/ become a section of CHANGELOG.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const { readChanges, sectionOf, withSection } = await import(join(root, "scripts/collect-changes.mjs"));
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trawl-changes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe("changes", () => {
  it("become lists by kind, under the heading of the release", () => {
    write("README.md", "not a change");
    write("b.md", "fixed: trawl map\n\nA sitemap index that names itself\nno longer ends the map.\n");
    write("a.md", "added: Search\n\nA new source.\n");
    const section = sectionOf("0.2.0", readChanges(folder));
    expect(section).toBe(
      "## 0.2.0\n\n**Added**\n\n- **Search**: A new source.\n\n**Fixed**\n\n" +
        "- **trawl map**: A sitemap index that names itself no longer ends the map.",
    );
    expect(withSection("# Changelog\n\n## 0.1.0\n\nFirst.\n", section)).toBe(
      `# Changelog\n\n${section}\n\n## 0.1.0\n\nFirst.\n`,
    );
  });

  it.each(["A text without a kind.", "improved: Search\n\nFaster.", "fixed: Search"])("are refused as %j", (text) => {
    write("wrong.md", text);
    expect(() => readChanges(folder)).toThrow("changes/wrong.md must start with");
  });

  it("in the repository can all be collected", () => {
    expect(() => readChanges(join(root, "changes"))).not.toThrow();
  });

  it("of a release take at most 60 lines", () => {
    const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
    const sections = changelog.split(/\n(?=## )/).slice(1);
    expect(sections.filter((section) => section.trim().split("\n").length > 60)).toEqual([]);
  });
});
