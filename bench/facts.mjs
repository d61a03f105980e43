// What the server says of pages beside their main text: letters of every encoding, language, day, authors, hidden text, prompt
// injections, tables, and markdown that becomes the same HTML again. Its pages and their scorer lie at ../shared/facts, or where
// TRAWL_SHARED says, and are no part of this repository. Other programs read the same pages in the same run.
//
//   npm run bench -- facts                    the four fifths of each set (by site, text or kind) that choices were made by
//   npm run bench -- facts encodings,dates    some sets only
//   npm run bench -- facts all unopened       the other fifth as well, in rows beside the others
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { factRivals, languageCalibration } from "./facts/rivals.mjs";
import { installRivals } from "./install-rivals.mjs";
import { startServer } from "./servers.mjs";

const shared = process.env.TRAWL_SHARED
  ? pathToFileURL(`${resolve(process.env.TRAWL_SHARED)}/`)
  : new URL("../../shared/", import.meta.url);
const folder = new URL("facts/", shared);
const data = fileURLToPath(new URL("dev", folder));
const rivalsFolder = fileURLToPath(new URL("rivals/", import.meta.url));
const namePort = 4857;

/** What is kept together when a set is split, so that no fifth has seen the site, text or kind of another. */
const host = ({ url }) => new URL(url).hostname.replace(/^www\d*\./, "");
const units = {
  encodings: ({ kind, id, gold }) => (kind === "made" ? id : gold.join("").slice(0, 60)),
  languages: ({ id }) => id,
  dates: host,
  news: host,
  hidden: ({ recipe }) => recipe,
  injection: ({ attack, kind, said, id }) => (attack ? kind : (said ?? id)),
  tables: ({ title }) => title,
  roundtrip: ({ id }) => id,
};

/** Figures with their bars; `isMinimum` unless told otherwise. */
const bars = {
  encodings: [
    ["page", 0.97, "Pages that declare no encoding, words right on", "share of pages"],
    ["file", 0.97, "Texts that declare no encoding, words right in", "share of texts"],
    ["wrong", 0.9, "Pages that declare a wrong encoding, words right on", "share of pages"],
  ],
  languages: [
    ["sentences", 0.96, "Language of a sentence", "right"],
    ["wordpairs", 0.75, "Language of a pair of words", "right"],
    ["calibration", 0.05, "Confidence of a language, distance from how often it is right", "share", true],
  ],
  dates: [["f", 0.945, "Publication day", "F"]],
  news: [
    ["authors", 0.85, "Authors of news", "F of names"],
    ["body", 0.94, "Body of news, words", "F1"],
    ["rouge", 0.972, "Body of news, ROUGE-LSum", "F1"],
  ],
  hidden: [
    ["hide", 1, "Hidden sentences left out", "share of pages"],
    ["show", 1, "Visible look-alikes kept", "share of pages"],
  ],
  injection: [
    ["recall", 0.8, "Prompt injections found", "recall"],
    ["falseAlarms", 0.01, "Prompt injections, false alarms", "share of harmless pages", true],
  ],
  tables: [
    ["cells", 0.985, "Cells of Wikipedia tables", "F1"],
    ["exact", 0.94, "Wikipedia tables", "exact"],
  ],
  roundtrip: [["server", 0.9, "CommonMark examples, markdown that is the same HTML again", "share of examples"]],
};

export async function measure([chosen = "all", part] = []) {
  if (!existsSync(folder)) {
    console.log("skipped facts: the pages and their scorer are not at ../shared/facts");
    return null;
  }
  installRivals();
  const scorer = await import(new URL("score.mjs", folder).href);
  const { sets } = await import(new URL("sets.mjs", folder).href);
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-facts-"));
  const server = await startServer(
    { dataDir },
    { DNS_SERVER: `127.0.0.1:${namePort}`, ALLOWED_PRIVATE_HOSTS: "127.0.0.0/8", RESPECT_ROBOTS: "off" },
  );
  const figures = [];
  try {
    for (const set of chosen === "all" ? Object.keys(units) : chosen.split(",")) {
      const rows = scorer.readRows(join(data, set));
      const parts = [["", rows.filter((row) => !isUnopened(set, row))]];
      if (part === "unopened") parts.push([", unopened fifth", rows.filter((row) => isUnopened(set, row))]);
      const results = await scrapeAll(
        scorer,
        server,
        set,
        new Set(parts.flatMap(([, own]) => own.map(({ id }) => id))),
      );
      const { sum } = await sets[set]({ rivals: rivalsFolder });
      for (const [name, own] of parts) {
        const ids = new Set(own.map(({ id }) => id));
        const found = results.filter(({ id }) => ids.has(id));
        const outcome = sum(found);
        console.log(`## ${set}${name}\n${outcome.lines.join("\n")}\n`);
        if (set === "languages") outcome.figures.calibration = await languageCalibration(own);
        figures.push(...figuresOf(set, name, outcome.figures, found.length, await factRivals(set, own, shared)));
      }
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return figures;
}

async function scrapeAll({ run }, server, set, ids) {
  const { results } = await run({
    set,
    data,
    only: `^(?:${[...ids].map((id) => id.replace(/[^\w-]/g, ".")).join("|")})$`,
    server: server.url,
    key: server.headers.authorization.replace("Bearer ", ""),
    dns: String(namePort),
    timeout: 30_000,
    concurrency: 2,
    rivals: rivalsFolder,
  });
  const failed = results.filter(({ error }) => error);
  if (failed.length > 0) console.log(`${set}: ${failed.length} failed, such as ${failed[0].id}: ${failed[0].error}`);
  return results;
}

function isUnopened(set, row) {
  return (
    createHash("sha256")
      .update(`facts ${units[set](row)}`)
      .digest()
      .readUInt32BE(0) %
      5 ===
    0
  );
}

function figuresOf(set, name, figures, pages, rivals) {
  return bars[set]
    .filter(([key]) => figures[key] !== undefined)
    .map(([key, bar, what, unit, isMaximum]) => {
      const others = Object.entries({ ...scorerRivals(set, figures), ...rivals[key] }).map(
        ([rival, value]) => `${rival} ${round(value)}`,
      );
      const detail = [`${pages} pages`, ...others].join(", ");
      return { what: `${what}${name}`, value: round(figures[key]), unit, bar, isMinimum: !isMaximum, detail };
    });
}

/** Those that the scorer runs itself. */
function scorerRivals(set, figures) {
  return set === "roundtrip" ? { turndown: figures.turndown, "html-to-markdown": figures["html-to-markdown"] } : {};
}

function round(value) {
  return Number(value.toFixed(4));
}
