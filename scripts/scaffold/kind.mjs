// A document kind: its reader in a folder that no other kind uses, a test, its row in the table of kinds, its reader's row, a row of the docs.
import { acceptanceRow } from "./acceptance-row.mjs";

export function kind({ joined: name, title }, _more, { read, fail }) {
  if (!/^[a-z\d]{1,8}$/.test(name))
    throw fail("A kind takes the ending of its files: at most eight letters and digits, such as rst.");
  const reader = `read${title.replaceAll(" ", "")}`;
  const file = `src/documents/${name}/read-${name}.ts`;
  const test = `src/documents/${name}/read-${name}.test.ts`;
  const table = "src/documents/kinds/file-kinds.json";
  if (Object.hasOwn(JSON.parse(read(table)), name)) throw fail(`The kind ${name} exists. Choose another name.`);
  const module = `// Files that end in .${name} -> their lines: a paragraph for each group of them.
import { parsedFile } from "${sourceOf(read, "parsedFile")}";
import type { ParsedFile } from "${sourceOf(read, "ParsedFile")}";
import { decodeBytes } from "../../detection/index.ts";
import { escapeHtml } from "${sourceOf(read, "escapeHtml")}";

export function ${reader}(bytes: Uint8Array): ParsedFile {
  const groups = decodeBytes(bytes).text.trim().split(/\\n\\s*\\n/);
  return parsedFile(groups.map((lines) => \`<p>\${escapeHtml(lines)}</p>\`).join(""), {});
}
`;
  const check = `import { expect, it } from "vitest";
import { kindOfExtension } from "../kinds/file-kinds.ts";
import { ${reader} } from "./read-${name}.ts";

it("${name} files are known by their ending, and read as paragraphs", () => {
  expect(kindOfExtension("notes.${name}")).toBe("${name}");
  expect(${reader}(Buffer.from("One <b>\\n\\ntwo")).html).toContain("<p>One &lt;b&gt;</p><p>two</p>");
});
`;
  const row = `"${name}": {
    "kind": "document",
    "label": "a ${title} file (${name})",
    "extensions": ["${name}"],
    "mimeTypes": ["application/x-${name}"]
  }`;
  return {
    files: { [file]: module, [test]: check },
    rows: [
      { file: table, replaces: /\n\}\s*$/, into: `,\n  ${row}\n}\n` },
      {
        file: "src/documents/reading/read-file.ts",
        replaces: /(\n {2}\/\/ Sheets\n)/,
        into: `\n  ${name}: async () => (await import("../${name}/read-${name}.ts")).${reader},$1`,
      },
      {
        file: "test/architecture/folders.test.ts",
        replaces: /( {2}documents: \[[^\]]*?\n {4}"notebooks",\n)/,
        into: `$1    "${name}",\n`,
      },
      {
        file: "docs/documents.md",
        replaces: /(\| mails, notebooks, data \|[^\n]*\n)/,
        into: `$1| ${title} | ${name} |\n`,
      },
      acceptanceRow(read, "documents", `Files that end in .${name} are read`, `\`${test}\``),
    ],
    next: [`Make it what it is for: ${file}`],
  };
}

/** Where the reader of notebooks has a helper from. */
function sourceOf(read, name) {
  const found = new RegExp(`import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`).exec(
    read("src/documents/notebooks/read-ipynb.ts"),
  );
  return found?.[1] ?? "";
}
