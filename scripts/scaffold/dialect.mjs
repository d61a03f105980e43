// A dialect: its rows, a test, its name in the settings, its place in the table of dialects, a section of the docs.
import { acceptanceRow } from "./acceptance-row.mjs";

export function dialect({ joined: name, title }, _more, { read }) {
  const file = `src/dialects/${name}/${name}.ts`;
  const test = `src/dialects/${name}/${name}.test.ts`;
  const module = `// ${title}: texts of the caller by how well they fit a query. No page is read, nothing is charged.
import * as z from "zod";
import { below, type Dialect, dialectRow } from "../frame/dialect.ts";
import { failureText, searchQuery } from "../frame/dialect-fields.ts";

const request = z.strictObject({
  query: searchQuery(),
  texts: z.array(z.string()).min(1).max(1000).describe("Texts to rank"),
});

export const ${name}: Dialect = {
  name: "${name}",
  tag: "${title}",
  owns: below("/${name}"),
  rows: [
    dialectRow("POST /${name}/rank", "${name}Rank", "Rank texts by how well they fit a query", {
      request,
      response: z.object({ results: z.array(z.object({ index: z.int(), score: z.number() })) }),
      answer: async ({ fields }, call) => ({ body: { results: await call.rankTexts(fields.query, fields.texts) } }),
    }),
  ],
  failure: ({ message }) => ({ detail: message }),
  failureSchema: z.object({ detail: failureText }),
};
`;
  const check = `import { expect, it } from "vitest";
import type { DialectCall } from "../frame/dialect.ts";
import { ${name} } from "./${name}.ts";

it("${name} ranks texts at its path, and owns nothing else", async () => {
  const [row] = ${name}.rows;
  const ranked = [{ index: 0, score: 1 }];
  const call = { rankTexts: async () => ranked } as unknown as DialectCall;
  const fields = row?.request.parse({ query: "sea", texts: ["the sea"] });
  expect(await row?.answer({ fields } as never, call)).toEqual({ body: { results: ranked } });
  expect([${name}.owns("/${name}/rank"), ${name}.owns("/other")]).toEqual([true, false]);
});
`;
  return {
    files: { [file]: module, [test]: check },
    rows: [
      { file: "src/config/dialect-names.ts", replaces: /\s*\] as const/, into: `, "${name}"] as const` },
      {
        file: "src/dialects/table/all-dialects.ts",
        after: /^import \{ \w+ \} from "\.\.\/\w+\/\w+\.ts";/,
        text: `import { ${name} } from "../${name}/${name}.ts";`,
      },
      {
        file: "src/dialects/table/all-dialects.ts",
        replaces: /(Readonly<Record<DialectName, Dialect>> = \{[^}]*?),?\s*\};/,
        into: `$1, ${name} };`,
      },
      {
        file: "docs/dialects.md",
        replaces: /\n*$/,
        into: `\n\n## ${title}\n\n\`POST /${name}/rank\` ranks texts of the request by how well they fit its query.\n`,
      },
      acceptanceRow(read, "dialects", `\`POST /${name}/rank\` ranks texts`, `\`${test}\``),
    ],
    next: [`Make it what it is for: ${file}`, "npm run generate (after a build)"],
  };
}
