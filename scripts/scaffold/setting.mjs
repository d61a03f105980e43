// A setting: its row, which documents it, and a test of what it takes.
import { acceptanceRow } from "./acceptance-row.mjs";

const sections = ["account", "browser", "extract", "job", "mail", "network", "page", "search", "server", "storage"];

export function setting({ camel, caps, kebab }, [section = "server"], { read, fail }) {
  if (!sections.includes(section))
    throw fail(`A setting is in one of ${sections.join(", ")}: npm run new -- setting NAME server`);
  const file = `src/config/${section === "job" ? "page" : section}-settings.ts`;
  const text = read(file);
  if (text.includes(`"${caps}"`)) throw fail(`The setting ${caps} exists. Choose another name.`);
  const test = `src/config/${kebab}.test.ts`;
  const row = `  ${camel}: setting(
    "${caps}",
    { takes: "a whole number", read: (value: string) => (/^\\d{1,9}$/.test(value) ? Number(value) : undefined) },
    0,
    "A number that nothing uses yet.",
  ),`;
  const check = `import { expect, it } from "vitest";
import { loadConfig } from "../config.ts";

it("${caps} takes a whole number", () => {
  expect(loadConfig({}).${camel}).toBe(0);
  expect(loadConfig({ ${caps}: "5" }).${camel}).toBe(5);
  expect(() => loadConfig({ ${caps}: "five" })).toThrow("${caps}");
});
`;
  return {
    files: { [test]: check },
    rows: [
      {
        file,
        replaces: new RegExp(`(export const ${section}Settings = \\{\\n[\\s\\S]*?)\\n\\};`),
        into: `$1\n${row}\n};`,
      },
      acceptanceRow(read, "foundation", `The setting ${caps} takes a whole number`, `\`${test}\``),
    ],
    next: [
      `Say in ${file} what it takes and what it is for, and read config.${camel} where src/app joins the part that needs it`,
      "npm run generate (after a build): docs/self-hosting.md is made from the row",
    ],
  };
}
