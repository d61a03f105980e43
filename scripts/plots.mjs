// The plots of docs/benchmarks.md: figures of bench/results beside those of other programs that the same bench has measured.
import { picture, text } from "./svg.mjs";

/**
 * In the order of the page. `what` is a figure whose value is ours and whose detail names the others with theirs, or `pairs` are
 * figures whose detail begins with our cost "and" that of the one that they are relative to.
 */
const plots = [
  {
    name: "main-content",
    title: "Main content of pages of all kinds",
    measure: "F1 of words, Web Content Extraction Benchmark; longer is better",
    groups: [{ subject: "quality", what: "Main content, WCXB", others: ["Readability", "Defuddle", "tag list"] }],
  },
  {
    name: "page-kinds",
    title: "Main content, by kind of page",
    measure: "F1 of words; longer is better",
    groups: ["service", "forum", "listing", "collection", "product"].map((kind) => ({
      subject: "quality",
      what: `Main content, WCXB ${kind}`,
      label: kind,
      others: ["Readability", "Defuddle", "tag list"],
    })),
  },
  {
    name: "articles",
    title: "Main content of articles",
    measure: "F1 of shingles, Article Extraction Benchmark; longer is better",
    groups: [{ subject: "quality", what: "Main content, AEB", others: ["Readability", "Defuddle", "tag list"] }],
  },
  {
    name: "news",
    title: "Body of news",
    measure: "ROUGE-LSum; longer is better",
    groups: [
      ["pages that rules were made with", "Body of news, ROUGE-LSum"],
      ["pages that no rule was made with", "Body of news, ROUGE-LSum, unopened fifth"],
    ].map(([label, what]) => ({
      subject: "facts",
      what,
      label,
      others: ["fundus", "newsplease", "trafilatura", "boilernet", "bte", "justext", "boilerpipe"],
    })),
  },
  {
    name: "markdown",
    title: "Structure that survives as markdown",
    measure: "share found, mean over kinds such as headings, tables and code; longer is better",
    groups: [
      {
        subject: "quality",
        what: "Markdown structure, mean of the kinds",
        others: ["html-to-markdown", "turndown", "Readability and turndown"],
      },
    ],
  },
  {
    name: "commonmark",
    title: "HTML to markdown and back",
    measure: "share of CommonMark's examples that are the same HTML again; longer is better",
    groups: [
      {
        subject: "facts",
        what: "CommonMark examples, markdown that is the same HTML again",
        others: ["turndown", "html-to-markdown"],
      },
    ],
  },
  {
    name: "crawl",
    title: "A page of a crawl, as markdown in the store",
    measure: "ms of CPU; shorter is better",
    pairs: [
      {
        subject: "crawl",
        what: "The same, relative to `@crawlee/cheerio` with `@kreuzberg/html-to-markdown-node`: CPU",
        other: "Crawlee, html-to-markdown",
      },
      {
        subject: "crawl",
        what: "The same crawl with default settings, relative to `@crawlee/cheerio` with `turndown`: CPU",
        other: "Crawlee, turndown",
      },
    ],
  },
  {
    name: "rendered",
    title: "A page rendered by Chromium",
    measure: "ms of CPU, browser included; shorter is better",
    pairs: [
      {
        subject: "browser",
        what: "The same, relative to a bare `goto` and `content`, which misses what scripts add later",
        other: "Playwright, goto only",
      },
      {
        subject: "browser",
        what: "20 rendered pages with the start of the browser: CPU relative to plain `playwright-core` that waits and scrolls as we do",
        other: "Playwright, waiting",
      },
    ],
  },
  {
    name: "again",
    title: "A second crawl of a site that has not changed",
    measure: "ms of CPU per page; shorter is better",
    pairs: [
      {
        subject: "steering",
        what: "Second crawl of an unchanged site of 1,000 pages of 25 KB (304): CPU relative to the first",
        other: "the first crawl",
      },
    ],
  },
  {
    name: "search",
    title: "Ranking of the local index",
    measure: "nDCG@10 on two collections with known answers; longer is better",
    groups: ["Cranfield", "CACM"].map((collection) => ({
      subject: "quality",
      what: `Local index, ${collection}`,
      label: collection,
      others: ["FTS5 with stems", "unstemmed"],
      names: { unstemmed: "FTS5" },
    })),
  },
  {
    name: "languages",
    title: "Language of two words",
    measure: "share right on texts that no rule was made with; longer is better",
    groups: [
      { subject: "facts", what: "Language of a pair of words, unopened fifth", others: ["eld", "tinyld", "franc"] },
    ],
  },
  {
    name: "encodings",
    title: "Encoding of pages that declare none",
    measure: "share of pages with right words that no rule was made with; longer is better",
    groups: [
      {
        subject: "facts",
        what: "Pages that declare no encoding, words right on, unopened fifth",
        others: ["chardetng-wasm", "chardet", "jschardet"],
      },
    ],
  },
];

const size = { width: 720, label: 220, row: 24, bar: 16, top: 58 };

/** The files by path, and what the page says of each. */
export function benchmarkPlots(results) {
  const drawn = plots.map((plot) => ({ ...plot, rows: rowsOf(plot, results) }));
  return {
    files: Object.fromEntries(drawn.map((plot) => [`docs/pictures/bench-${plot.name}.svg`, draw(plot)])),
    list: drawn.map((plot) => {
      const said = plot.rows.map(({ heading, label, value }) => heading ?? `${label} ${shownNumber(value)}`);
      const alt = `${plot.title}: ${said.join(", ")}`;
      return `![${alt}](pictures/bench-${plot.name}.svg)`;
    }),
  };
}

function rowsOf({ groups = [], pairs = [] }, results) {
  const grouped = groups.flatMap((group) => {
    const { value, detail } = figureOf(results, group);
    const others = group.others.map((name) => ({
      label: group.names?.[name] ?? name,
      value: numberAfter(detail, name),
      isOurs: false,
    }));
    const rows = [{ label: "Trawl", value, isOurs: true }, ...others].sort((one, other) => other.value - one.value);
    return group.label ? [{ heading: group.label }, ...rows] : rows;
  });
  const costs = pairs.map((pair) => ({ ...pair, costs: costsOf(figureOf(results, pair).detail) }));
  const paired = costs.map(({ other, costs: [, value] }) => ({ label: other, value, isOurs: false }));
  const own = costs.slice(0, 1).map(({ costs: [value] }) => ({ label: "Trawl", value, isOurs: true }));
  return [...grouped, ...own, ...paired];
}

function figureOf(results, { subject, what }) {
  const figure = results[subject]?.figures.find((each) => each.what === what);
  if (figure?.detail === undefined) throw new Error(`bench/results/${subject}.json has no "${what}" with a detail`);
  return figure;
}

function numberAfter(detail, name) {
  const [, number] = new RegExp(`(?:^|[,;] )${name} ([\\d.]+)`).exec(detail) ?? [];
  if (number === undefined) throw new Error(`${name} is not in "${detail}"`);
  return Number(number);
}

function costsOf(detail) {
  const [, own, other] = /^([\d.]+)(?: ms)? and ([\d.]+) ms/.exec(detail) ?? [];
  if (other === undefined) throw new Error(`"${detail}" does not begin with two costs`);
  return [Number(own), Number(other)];
}

const shownNumber = (value) => (value > 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3))));

function draw({ title, measure, rows }) {
  const bars = rows.filter(({ value }) => value !== undefined);
  // A share begins at 0 and ends at 1, so that lengths say what they mean.
  const longest = Math.max(...bars.map(({ value }) => value));
  const most = Math.max(1, longest);
  const room = size.width - size.label - 76;
  const parts = [text(16, 26, title, "strong"), text(16, 45, measure, "soft small")];
  for (const [place, { heading, label, value, isOurs }] of rows.entries()) {
    const y = size.top + place * size.row;
    if (heading) {
      parts.push(text(16, y + 17, heading, "small strong"));
      continue;
    }
    const wide = Math.max(1, Math.round((value / most) * room));
    parts.push(text(size.label - 10, y + 13, label, isOurs ? "end strong" : "end"));
    parts.push(
      `<rect class="${isOurs ? "ours" : "theirs"}" x="${size.label}" y="${y}" width="${wide}" height="${size.bar}" rx="2"/>`,
    );
    parts.push(text(size.label + wide + 8, y + 13, shownNumber(value), isOurs ? "strong" : "soft"));
  }
  return picture(size.width, size.top + rows.length * size.row + 6, `${title}: ${measure}`, parts);
}
