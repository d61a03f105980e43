// One file name, one meaning.
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { sources } from "./source.ts";

/**
 * Folders with a file per feature: the same name in two of them is the same feature seen from two sides, as `map` in
 * contract/endpoints and in operations. A name is in each of them once.
 */
const featureTables = [
  "accounts",
  "cli/verbs",
  "content/outputs",
  "contract/endpoints",
  "contract/fields",
  "contract/v1",
  "dashboard/web",
  "dialects/docling",
  "dialects/exa",
  "dialects/jina",
  "dialects/openwebui",
  "dialects/rerank",
  "dialects/searxng",
  "dialects/tavily",
  "dialects/tika",
  "extraction/things",
  "operations",
  "pages/formats",
  "search/providers",
  "search/sources",
  "store",
];

function tableOf(file: string): string | null {
  const folder = dirname(file);
  const tables = featureTables.filter((table) => folder === table || folder.startsWith(`${table}/`));
  return tables.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** Whether files of one name are the rows of one feature. */
function isOneFeature(files: readonly string[]): boolean {
  const tables = files.map(tableOf);
  return !tables.includes(null) && new Set(tables).size === files.length;
}

function homonymsIn(files: readonly string[]): string[] {
  const byName = new Map<string, string[]>();
  for (const file of files.filter((each) => basename(each) !== "index.ts")) {
    const name = basename(file).replace(/\.tsx?$/, "");
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName]
    .filter(([, places]) => places.length > 1 && !isOneFeature(places))
    .map(([name, places]) => `${name}: ${places.join(", ")}`);
}

it("a file name has one meaning in the whole house", () => {
  expect(homonymsIn(sources)).toEqual([]);
});

it("this test can fail: with a name in two rooms, and with one that a table has twice", () => {
  const same = ["operations/map/map.ts", "contract/endpoints/map.ts", "net/index.ts", "store/index.ts"];
  expect(homonymsIn(same)).toEqual([]);
  expect(homonymsIn(["text/stem-words.ts", "operations/crawl/stem-words.ts"])).toHaveLength(1);
  expect(homonymsIn(["store/pages/some-hosts.ts", "store/search/some-hosts.ts"])).toHaveLength(1);
});
