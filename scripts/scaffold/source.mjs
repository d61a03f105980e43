// A search source: how it is asked and read, a test, its row in the table, its name in the settings, a row of the docs.
import { acceptanceRow } from "./acceptance-row.mjs";

export function source({ camel, kebab, joined, title }, _more, { read }) {
  const file = `src/search/sources/${kebab}.ts`;
  const test = `src/search/sources/${kebab}.test.ts`;
  const module = `// ${title}: a JSON API that takes \`q\` and gives a list of \`results\`. It is asked only where SEARCH_ENGINES names it.
import { isAnswerObject, listAt } from "../providers/json.ts";
import { type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

export const ${camel}: OpenSource = {
  ...sourceDefaults,
  name: "${joined}",
  title: "${title}",
  base: "https://${kebab}.example",
  tier: "scraped",
  serves: new Set(["web"]),
  perCall: 20,
  terms: "None known.",

  ask: (question) => ({ path: "/search", query: { q: question.text, count: sizeOf(question, 20) } }),

  read({ json }) {
    const found = isAnswerObject(json) ? listAt(json, "results") : null;
    return found && { results: found.map(({ url, title, description }) => ({ url, title, description })), next: null };
  },
};
`;
  const check = `import { expect, it } from "vitest";
import { ${camel} } from "./${kebab}.ts";
import type { SourceQuestion } from "./source.ts";

const question = { text: "sea otters", count: 5 } as SourceQuestion;

it("${joined} asks for words and reads a list of results", () => {
  expect(${camel}.ask(question, null)).toEqual({ path: "/search", query: { q: "sea otters", count: 5 } });
  const result = { url: "https://a.test/", title: "Otters", description: "They swim." };
  const read = (json: unknown) => ${camel}.read({ text: "", json, tree: null }, question, null);
  expect(read({ results: [result] })).toEqual({ results: [result], next: null });
  expect(read("Sorry")).toBeNull();
});
`;
  return {
    files: { [file]: module, [test]: check },
    rows: [
      {
        file: "src/search/sources/source-table.ts",
        after: /^import /,
        text: `import { ${camel} } from "./${kebab}.ts";`,
      },
      { file: "src/search/sources/source-table.ts", before: /^\];/, text: `  ${camel},` },
      {
        file: "src/config/search-source-names.ts",
        replaces: /(export const scrapedSources = \[[^\]]*?),?\s*\] as const/,
        into: `$1, "${joined}"] as const`,
      },
      {
        file: "docs/search.md",
        replaces: /(\| marginalia \|[^\n]*\n)/,
        into: `$1| ${joined} | web | 1 a second | only where \`SEARCH_ENGINES\` names it |\n`,
      },
      acceptanceRow(read, "open-search", `The source ${joined} is asked where it is named`, `\`${test}\``),
    ],
    next: [`Make it what it is for: ${file}`],
  };
}
