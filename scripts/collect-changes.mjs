// `npm run release-notes -- VERSION` moves the files of changes/ into CHANGELOG.md, under a heading for the release. Without a
// version it prints the section and changes nothing.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const kinds = ["added", "changed", "fixed", "removed"];
const root = fileURLToPath(new URL("..", import.meta.url));

/** The changes of a folder, by kind. Throws for a file that is not written as changes/README.md says. */
export function readChanges(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md");
  return files.sort().map((file) => {
    const written = readFileSync(join(folder, file), "utf8").trim();
    const [, kind, feature, text] = /^(\w+): (.+)\n\n([\s\S]+)$/.exec(written) ?? [];
    if (!kinds.includes(kind)) {
      throw new Error(
        `changes/${file} must start with "KIND: feature" (KIND is ${kinds.join(", ")}), a blank line and a text.`,
      );
    }
    return { file, kind, feature, text: text.replace(/\s*\n\s*/g, " ") };
  });
}

/** The section of a release: a list for each kind that has changes. */
export function sectionOf(version, changes) {
  const lists = kinds.flatMap((kind) => {
    const rows = changes.filter((change) => change.kind === kind);
    const title = kind.charAt(0).toUpperCase() + kind.slice(1);
    return rows.length === 0
      ? []
      : [`**${title}**\n\n${rows.map(({ feature, text }) => `- **${feature}**: ${text}`).join("\n")}`];
  });
  return [`## ${version}`, ...lists].join("\n\n");
}

/** The changelog with a section before that of the last release. */
export function withSection(changelog, section) {
  const place = changelog.indexOf("\n## ");
  if (place === -1) return `${changelog.trimEnd()}\n\n${section}\n`;
  return `${changelog.slice(0, place + 1)}${section}\n${changelog.slice(place)}`;
}

function collect(version) {
  const folder = join(root, "changes");
  const changes = readChanges(folder);
  if (changes.length === 0) throw new Error("changes/ holds no change to release.");
  if (version === undefined) return console.log(sectionOf("Next release", changes));
  const file = join(root, "CHANGELOG.md");
  writeFileSync(file, withSection(readFileSync(file, "utf8"), sectionOf(version, changes)));
  for (const change of changes) rmSync(join(folder, change.file));
  console.log(`CHANGELOG.md has ${version} with ${changes.length} changes.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) collect(process.argv[2]);
