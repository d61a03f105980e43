// docs/benchmarks.md with its plots, and the tables of README.md, docs/reliability.md and docs/scale.md, all made from bench/results: no published figure is
// written by hand.
import { readdirSync, readFileSync } from "node:fs";
import { describe as describeScale } from "../bench/scale-sim.mjs";
import { benchmarkPlots } from "./plots.mjs";

/** The sections of docs/benchmarks.md in their order, with what each bench compares. */
const subjects = {
  foundation: "Start, idle memory and the cheapest authenticated call.",
  scrape: "Single pages, with default settings: the local index is on except where it is named.",
  content: "HTML to the markdown of its main content, in one process and without a network.",
  reach:
    "Whether what came back is the page that was asked for. Needs a set of labelled answers that is not in this repository.",
  injection:
    "Pages that talk to the model that reads them, found by rules. The real pages are not in this repository; none of them attacks.",
  crawl:
    "Durable crawls of generated sites, with default settings except where one is named. The Crawlee programs keep their results in memory only.",
  growth: "One crawl of many pages with default settings.",
  footprint: "One page of a crawl on PostgreSQL: what it leaves and costs. [scale.md](scale.md) reckons with it.",
  steering: "Crawls that read only what changed, and that read first what is looked for.",
  quality:
    "How well pages are understood, on material with known answers that is not in this repository. Bars are goals, not limits of a change.",
  facts:
    "What is said of pages beside their main text, on material with known answers that is not in this repository. A fifth of each set was left unopened while rules and models were made. Bars are goals, not limits of a change.",
  map: "Sitemaps of 100,000 URLs, and the ranking that `search` of a map does.",
  search: "The local index: cost of queries and indexing.",
  extract: "A JSON Schema filled from generated shop pages, without a language model.",
  documents: "Files to markdown, reader and conversion in one process. Scores need a set of files with known content.",
  browser: "Pages rendered by Chromium, with the whole process tree counted.",
  soak: "One server on SQLite under mixed load, with everything that calls it beside it on the same machine.",
  scale: "Queues of a million pages on both stores. The PostgreSQL of these benches writes without fsync.",
  sessions: "Browser sessions that clients drive over `cdpUrl` for five minutes.",
};

/** The figures of README.md: at most eight. */
const shown = [
  ["foundation", "Cold start to the first response, new store"],
  ["foundation", "Idle memory (resident, 10 s after the start)"],
  ["scrape", "Fresh scrape of a 25 KB page: CPU relative to undici's `request` of it"],
  ["scrape", "Cached scrape: CPU relative to a bare Fastify echo of the same bytes"],
  ["crawl", "Crawl of 2,000 pages of 25 KB, default settings: CPU per 1,000 stored pages"],
  ["crawl", "The same crawl with default settings, relative to `@crawlee/cheerio` with `turndown`: CPU"],
  [
    "browser",
    "20 rendered pages with the start of the browser: CPU relative to plain `playwright-core` that waits and scrolls as we do",
  ],
  ["sessions", "Peak private memory per browser session"],
];

const head = "| what | figure | bar | command | date | machine |\n| --- | --- | --- | --- | --- | --- |";

const introduction = `# Benchmarks

Does it read pages well, is it fast enough, and what does it cost to run? Each plot puts Trawl beside programs that do the same work, on
the same pages. Where another one is better, the plot says so. Most rules and models were made with a part of the pages at hand; where a
plot says "no rule was made with", the rest was left unopened until then. All figures follow in [tables](#all-figures), with their
dates, machines and misses.

Do not take them on trust: \`npm run bench -- crawl\` measures one subject on your machine, and \`npm run bench -- all\` all of them.`;

const tablesIntroduction = `## All figures

"×" is a ratio: 2 × means twice the cost of what it is compared with. A bar is the limit that a change must not exceed; a bench that
misses one exits non-zero. Each figure is one run, in which most are medians of three or more rounds. The machines are shared and
their speed varies, so CPU time is measured instead of elapsed time, and the sides of a ratio take turns. \`quality\`, \`facts\` and part
of \`map\` need test collections that are not in this repository, and skip those figures without them. Why bars of speed are missed:
[decisions/0021-speed.md](decisions/0021-speed.md).

\`npm run generate\` makes this page and its plots from \`bench/results\`; do not edit them.`;

const scalePage = "docs/scale.md";
const reliabilityPage = "docs/reliability.md";
/** Has its own page. */
const faults = "prove-faults.json";

/** The files that are made from bench/results, by path. */
export function benchmarkFiles(root, replaceSection) {
  const results = readResults(`${root}bench/results`);
  // A subject that was never measured has no section yet.
  const measured = Object.entries(subjects).filter(([subject]) => subject in results);
  const sections = measured.map(([subject, about]) => describeSubject(subject, about, results[subject]));
  const plots = benchmarkPlots(results);
  const rows = shown.map(([subject, what]) => describeFigure(results[subject], findFigure(results[subject], what)));
  return {
    "docs/benchmarks.md": `${[
      introduction,
      ...plots.list,
      tablesIntroduction,
      ...sections,
      ...describeProofs(`${root}bench/results`),
    ].join("\n\n")}\n`,
    ...plots.files,
    [reliabilityPage]: replaceSection(
      readFileSync(`${root}${reliabilityPage}`, "utf8"),
      "faults",
      describeProof(`${root}bench/results/${faults}`),
    ),
    [scalePage]: Object.entries(describeScale()).reduce(
      (text, [section, content]) => replaceSection(text, section, content),
      readFileSync(`${root}${scalePage}`, "utf8"),
    ),
    "README.md": replaceSection(readFileSync(`${root}README.md`, "utf8"), "figures", [head, ...rows].join("\n")),
  };
}

function readResults(folder) {
  const results = {};
  for (const file of readdirSync(folder).filter((name) => !isProof(name))) {
    const subject = file.replace(/\.json$/, "");
    if (!(subject in subjects)) throw new Error(`scripts/benchmarks.mjs does not describe bench/results/${file}`);
    results[subject] = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
  }
  return results;
}

/** Of `npm run prove`: what holds, without figures to compare. */
function isProof(file) {
  return file.startsWith("prove-");
}

function describeProofs(folder) {
  const proofs = readdirSync(folder).filter((file) => isProof(file) && file !== faults);
  const sections = proofs.map((file) => describeProof(`${folder}/${file}`));
  return [
    "### Proofs",
    "Tests that take too long for every run. Faults: [reliability.md](reliability.md).",
    ...sections,
  ];
}

function describeProof(file) {
  const { command, date, machine, rows } = JSON.parse(readFileSync(file, "utf8"));
  // Tests that pass or fail, or what was measured.
  const hasFigures = rows.some(({ figure }) => figure !== undefined);
  const lines = rows.map(({ subject, holds, passed, failed, figure }) => {
    const cells = [subject, holds ? "yes" : "no", ...(hasFigures ? [figure] : [passed, failed])];
    return `| ${cells.join(" | ")} |`;
  });
  const head = hasFigures ? ["| | holds | measured |"] : ["| | holds | tests passed | failed |"];
  const table = [...head, `| --- | --- | --- |${hasFigures ? "" : " --- |"}`, ...lines].join("\n");
  return `\`${command}\` (${date}, ${machine}):\n\n${table}`;
}

function findFigure({ command, figures }, what) {
  const figure = figures.find((each) => each.what === what);
  if (figure === undefined) throw new Error(`${command} has no figure "${what}", which README.md shows`);
  return figure;
}

function describeSubject(subject, about, result) {
  const rows = result.figures.map((figure) => describeFigure(result, figure));
  const details = result.figures
    .filter(({ detail }) => detail !== undefined)
    .map(({ what, detail }) => `- ${what}: ${detail}.`);
  const title = `### ${subject[0].toUpperCase()}${subject.slice(1)}`;
  const parts = [title, about, [head, ...rows].join("\n")];
  if (details.length > 0) parts.push(`Behind the figures:\n\n${details.join("\n")}`);
  return parts.join("\n\n");
}

function describeFigure({ command, date, machine }, { what, value, unit, bar, isMinimum, isMet }) {
  const limit = bar === 0 && isMinimum ? "none" : `${isMinimum ? "at least" : "at most"} ${withUnit(bar, unit)}`;
  const cells = [what, withUnit(value, unit) + (isMet ? "" : " (missed)"), limit, `\`${command}\``, date, machine];
  return `| ${cells.join(" | ")} |`;
}

function withUnit(value, unit) {
  const text = value.toLocaleString("en", { maximumFractionDigits: 3 });
  return `${text} ${unit === "times" ? "×" : unit}`.trim();
}
