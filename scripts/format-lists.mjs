// The lists of formats that their folders hold: each file that exports a format is in the list beside it, so that adding a format
// takes no list. Needs no build, because the build needs the lists.
//   node scripts/format-lists.mjs   writes them
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const lists = [
  { folder: "src/content/outputs", type: "ContentFormat", name: "contentFormats" },
  { folder: "src/extraction/things", type: "ThingFormat", name: "thingFormats" },
  { folder: "src/extraction/texts", type: "MarkdownFormat", name: "markdownFormats" },
  { folder: "src/pages/formats", type: "PageFormat", name: "pageFormats" },
];

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function listOf(root, { folder, type, name }) {
  const found = readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(root, folder, file), "utf8");
      const format = new RegExp(`^export const (\\w+): ${type}\\b`, "m").exec(source)?.[1];
      return format === undefined ? [] : [{ file, format }];
    });
  return [
    `// Written by \`npm run generate\`: every ${type} of this folder.`,
    ...found.map(({ file, format }) => `import { ${format} } from "./${file}";`),
    "",
    `export const ${name} = {`,
    ...found.map(({ format }) => `  ${format},`),
    "};",
    "",
  ].join("\n");
}

/** By the file that holds it. */
export function formatLists(root) {
  return Object.fromEntries(lists.map((list) => [`${list.folder}/${kebab(list.name)}.ts`, listOf(root, list)]));
}

export function writeFormatLists(root) {
  for (const [file, text] of Object.entries(formatLists(root))) writeFileSync(join(root, file), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFormatLists(fileURLToPath(new URL("..", import.meta.url)));
