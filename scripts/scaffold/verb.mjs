// A verb of the command: its work, a test, its row in the table of verbs, from which help and completion are made.
import { acceptanceRow } from "./acceptance-row.mjs";

export function verb({ camel, kebab }, _more, { read, fail }) {
  const table = "src/cli/command/verb-table.ts";
  if (new RegExp(`verb\\("${kebab}[ "]`).test(read(table)))
    throw fail(`The verb ${kebab} exists. Choose another name.`);
  const file = `src/cli/verbs/${kebab}.ts`;
  const test = `src/cli/verbs/${kebab}.test.ts`;
  const module = `// \`trawl ${kebab}\`: prints the words that it is given.
import type { Invocation } from "../service/invocation.ts";
import { print, toText } from "../terminal/printing.ts";

export async function ${camel}({ words, flags: { json, pretty } }: Invocation): Promise<void> {
  print(json ? toText({ words }, pretty) : words.join(" "));
}
`;
  const check = `import { afterEach, expect, it, vi } from "vitest";
import { verbs } from "../command/verb-table.ts";

afterEach(() => vi.restoreAllMocks());

it("trawl ${kebab} prints its words, as text or as JSON", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const run = await verbs.find(({ name }) => name === "${kebab}")?.load();
  await run?.({ words: ["a", "b"], flags: {} } as never);
  await run?.({ words: ["a"], flags: { json: true, pretty: false } } as never);
  expect(written.join("")).toBe('a b\\n{"words":["a"]}\\n');
});
`;
  const row = `  verb("${kebab} [words...]", "print the words that it is given", {
    examples: ["trawl ${kebab} a b", "trawl ${kebab} a b --json"],
    sets: ["json"],
    load: async () => (await late.${camel}()).${camel},
  }),`;
  return {
    files: { [file]: module, [test]: check },
    rows: [
      {
        file: table,
        replaces: /(const late = \{\n)/,
        into: `$1  ${camel}: () => import("../verbs/${kebab}.ts"),\n`,
      },
      { file: table, before: /^\];/, text: row },
      acceptanceRow(read, "clients", `\`trawl ${kebab}\` prints its words`, `\`${test}\``),
    ],
    next: [`Make it what it is for: ${file} and its row in ${table}`],
  };
}
