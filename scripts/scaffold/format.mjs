// A format: its module in the room that makes it, a test, the row of the contract, an example in the docs.
import { acceptanceRow } from "./acceptance-row.mjs";

const origins = {
  tree: {
    madeFrom: "content",
    folder: "src/content/outputs",
    does: "The text of every heading of the page",
    field: "z.array(z.string()).optional()",
    example: '["A page"]',
    module: ({ camel }) => `import { findAll, textOf } from "../../html/index.ts";
import type { ContentFormat } from "./content-format.ts";

export const ${camel}: ContentFormat<{ ${camel}: string[] }> = {
  fromTree: ({ root }) => ({ ${camel}: findAll("h1, h2, h3", root).map((heading) => textOf(heading).trim()) }),
  fromText: () => ({ ${camel}: [] }),
  whenEmpty: ({ ${camel}: found }) => (found.length === 0 ? "The page has no ${camel}." : null),
};
`,
    test: ({ camel }) => `import { expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";

const read = (body: string) => readPage(body, { formats: { ...noFormats, ${camel}: true } });

it("${camel} has what the page holds, and says when there is nothing", () => {
  expect(read("<h1>A page</h1><p>Text</p>").${camel}).toEqual(["A page"]);
  expect(read("<p>Text</p>").empty).toEqual({ ${camel}: "The page has no ${camel}." });
});
`,
  },
  selection: {
    madeFrom: "content",
    folder: "src/content/outputs",
    does: "How many characters of the page are shown",
    field: "z.int().optional()",
    example: "6",
    module: ({ camel }) => `import { isElement, textOf } from "../../html/index.ts";
import type { ContentFormat } from "./content-format.ts";

export const ${camel}: ContentFormat<{ ${camel}: number }> = {
  fromSelection: ({ nodes, dropped }) => ({
    ${camel}: nodes.filter(isElement).reduce((sum, node) => sum + textOf(node, dropped).trim().length, 0),
  }),
  fromText: ({ text }) => ({ ${camel}: text.length }),
};
`,
    test: ({ camel }) => `import { expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";

it("${camel} has what the page shows", () => {
  const page = "<body><p>shown</p><script>hidden</script></body>";
  expect(readPage(page, { formats: { ...noFormats, ${camel}: true } }).${camel}).toBe(5);
});
`,
  },
  text: {
    madeFrom: "text",
    folder: "src/extraction/texts",
    does: "How many words the markdown has",
    field: "z.int().optional()",
    example: "2",
    module: ({ camel }) => `import { splitWords } from "../../text/index.ts";
import type { MarkdownFormat } from "./markdown-format.ts";

export const ${camel}: MarkdownFormat<object, { ${camel}: number }> = {
  make: (markdown) => ({ ${camel}: splitWords(markdown).length }),
};
`,
    test: ({ camel, kebab }) => `import { expect, it } from "vitest";
import { ${camel} } from "./${kebab}.ts";

it("${camel} is made from the markdown", () => {
  expect(${camel}.make("# Two words", {}, { countTokens: () => 0 })).toEqual({ ${camel}: 2 });
});
`,
  },
  answer: {
    madeFrom: "answer",
    folder: "src/pages/formats",
    does: "What the page is about, in its own words or in those of a language model",
    field: "optionalText",
    example: '"A harbour"',
    module: ({ camel }) => `import type { PageFormat } from "./page-format.ts";
import { answerFromText, joinTexts } from "./text-answers.ts";

const question = "What is this page about?";

export const ${camel}: PageFormat<"${camel}"> = {
  order: 2,
  asksOnce: true,
  readsText: "always",
  make: (_format, context) =>
    answerFromText(context, {
      output: "${camel}",
      ask: (use, page) => use.answerFromPages([page], question),
      told: ({ answer }) => ({ outputs: { ${camel}: answer ?? "" } }),
      request: { wantsSummary: false, queries: [question] },
      found: ({ passages: [best = []] }) => joinTexts(best.slice(0, 1)),
    }),
};
`,
    test: ({ camel, kebab }) => `import { expect, it } from "vitest";
import type { MakeContext } from "./page-format.ts";
import { ${camel} } from "./${kebab}.ts";

it("${camel} is the best passage of the page where there is no model", async () => {
  const readText = async () => ({ summary: "", passages: [[{ text: "A harbour", score: 1 }]] });
  const extraction = { open: async () => ({ readText }) };
  const context = { extraction, text: "A harbour", open: null, isLocked: false } as unknown as MakeContext;
  const made = await ${camel}.make?.({ type: "${camel}" }, context);
  expect(made).toMatchObject({ outputs: { ${camel}: "A harbour" }, warnings: [expect.stringMatching(/^No language model is configured\\./)] });
});
`,
  },
  browser: {
    madeFrom: "browser",
    folder: "src/pages/formats",
    does: "How many elements the rendered page has",
    field: "z.int().optional()",
    example: "12",
    module: ({ camel }) => `/// <reference lib="dom" />
import type { PageFormat } from "./page-format.ts";

/** Runs inside the page: it is sent there as its own text, so it may use nothing from outside itself. */
const readPage = () => document.querySelectorAll("*").length;

export const ${camel}: PageFormat<"${camel}"> = {
  browserTasks: () => ({ scripts: { ${camel}: String(readPage) } }),
  fromPage(page) {
    const found = "scripts" in page ? page.scripts.${camel} : undefined;
    return typeof found === "number" ? { ${camel}: found } : { warning: "${camel} could not be read from this page." };
  },
  // A cached page was rendered once and is no longer open.
  copies: () => "documents",
};
`,
    test: ({ camel, kebab }) => `import { expect, it } from "vitest";
import type { RenderedPage } from "../../engines/index.ts";
import { ${camel} } from "./${kebab}.ts";

it("${camel} is what its script gave, else a warning", () => {
  const made = (scripts: object) => ${camel}.fromPage?.({ scripts } as unknown as RenderedPage, () => "");
  expect(made({ ${camel}: 12 })).toEqual({ ${camel}: 12 });
  expect(made({})).toHaveProperty("warning");
});
`,
  },
};

export function format(names, [origin = "tree"], { read, fail }) {
  const { camel, kebab } = names;
  const made = Object.hasOwn(origins, origin) ? origins[origin] : undefined;
  if (!made)
    throw fail(`A format is made from one of ${Object.keys(origins).join(", ")}: npm run new -- format NAME tree`);
  const table = "src/contract/fields/formats.ts";
  if (new RegExp(`^  ${camel}: row\\(`, "m").test(read(table)))
    throw fail(`The format ${camel} exists. Choose another name.`);
  const { madeFrom, folder, does, field, example } = made;
  const file = `${folder}/${kebab}.ts`;
  const test = `${folder}/${kebab}.test.ts`;
  const own = madeFrom === "browser" ? ", { isForFiles: false }" : "";
  const row = `  ${camel}: row("${madeFrom}", "${does}", { ${camel}: ${field} }${own}),`;
  const shown = [
    "```json",
    `{"url": "https://example.com", "formats": ["${camel}"]}`,
    "```",
    "",
    "```json",
    `{"${camel}": ${example}}`,
    "```",
  ];
  return {
    files: { [file]: made.module(names), [test]: made.test(names) },
    rows: [
      { file: table, before: /^\} as const;/, text: row },
      {
        file: "docs/formats.md",
        after: /^```$/,
        text: ["", `## ${names.title}`, "", `${does}.`, "", ...shown].join("\n"),
      },
      acceptanceRow(read, "content-safety", `\`${camel}\`: ${does.toLowerCase()}`, `\`${test}\``),
    ],
    next: [
      `Make it what it is for: ${file}, its row in ${table} and its example in docs/formats.md`,
      "npm run generate (after a build)",
    ],
  };
}
