// The texts that the model learns from, as the server cuts them out of pages.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parseHtml } from "../../dist/html/index.js";
import { seenText } from "../../dist/safety/injection/find-injections.js";
import { addresseeOf } from "../../dist/safety/injection/intent-features.js";
import { intentTextsIn } from "../../dist/safety/injection/match-rules.js";

const shared = new URL("../../../shared/", import.meta.url);
const folds = 12;

/** `kind | language | text`, one a line. */
export function textsOfFile(name) {
  const lines = readFileSync(new URL(name, import.meta.url), "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => {
      const [kind, language, ...rest] = line.split("|");
      const written = rest.join("|").replaceAll("\\n", "\n");
      return windowsOf(`\n${written}\n`)
        .slice(0, 1)
        .map((text) => ({
          ...text,
          kind,
          carrier: `own ${numberOf(written) % 6}`,
          language,
          fold: numberOf(written) % folds,
        }));
    });
}

/** Of the pages that talk to a model: the text that does. */
export function sharedAttacks() {
  return sharedRows()
    .filter(({ attack }) => attack)
    .flatMap((row) => {
      const [first] = windowsOf(`\n${row.said}\n`);
      const text =
        windowsOf(seenTextOf(row.html)).find((each) =>
          row.said.replace(/\s+/g, " ").includes(each.text.slice(0, 25).replace(/\s+/g, " ")),
        ) ?? first;
      return text
        ? [
            {
              ...text,
              isHidden: row.place === "hidden",
              kind: row.kind,
              carrier: /bare|as it is/.test(row.carrier)
                ? row.carrier
                : `${row.carrier} ${row.said.slice(0, 7).trim()}`,
              language: "en",
            },
          ]
        : [];
    });
}

/** All texts of pages that do not. */
export function harmlessTexts() {
  const rows = sharedRows().filter(({ attack }) => !attack);
  const pages = [...rows.map(({ html }) => html), ...["quality", "extract", "reach"].flatMap(pagesOf), ...newsPages()];
  return pages.flatMap((html, place) =>
    windowsOf(seenTextOf(html)).map((text) => ({
      ...text,
      kind: "page",
      carrier: "page",
      language: "",
      fold: place % folds,
    })),
  );
}

function windowsOf(text) {
  return intentTextsIn(text, false).filter((each) => addresseeOf(each.text) !== "none");
}

function seenTextOf(html) {
  return seenText(parseHtml(html).root.children);
}

function sharedRows() {
  const folder = new URL("facts/dev/injection/", shared);
  if (!existsSync(folder)) return [];
  const lines = gunzipSync(readFileSync(new URL("index.jsonl.gz", folder)))
    .toString()
    .trim()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter((row) => !isUnopened(row))
    .map((row) => ({
      ...row,
      html: row.body ? gunzipSync(readFileSync(new URL(row.body, folder))).toString() : row.text,
    }));
}

/** As `bench/facts.mjs` splits. */
function isUnopened({ attack, kind, said, id }) {
  return (
    createHash("sha256")
      .update(`facts ${attack ? kind : (said ?? id)}`)
      .digest()
      .readUInt32BE(0) %
      5 ===
    0
  );
}

function pagesOf(name) {
  const folder = new URL(`${name}/dev/html/`, shared);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => gunzipSync(readFileSync(new URL(file, folder))).toString());
}

function newsPages() {
  const folder = new URL("facts/dev/news/html/", shared);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => gunzipSync(readFileSync(new URL(file, folder))).toString());
}

function numberOf(text) {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
