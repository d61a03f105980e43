// What came back: how well the verdict tells pages from block pages and notices, on answers of real servers with known labels, and what
// it costs. The tables of signs were written with these answers at hand, so they are also scored without what they could have
// learned from them: by host (rows that only the hosts of the fold speak for are withheld) and by vendor (every row of the
// page's own vendor is withheld, as if it were unknown).
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readContent } from "../dist/content/reading/read-content.js";
import { decodeBytes } from "../dist/detection/encodings/decode-bytes.js";
import { findParts } from "../dist/html/page-parts.js";
import { parseHtml } from "../dist/html/parse-page.js";
import { verdictOfPage } from "../dist/safety/verdict/page-verdict.js";
import { vendorSignatures } from "../dist/safety/verdict/vendor-signatures.js";
import { readHtml, readIndex } from "../tools/train-content/pages.mjs";
import { contentModel, languageModel, markdownRequest } from "./content-request.mjs";
import { median } from "./measure.mjs";

const labelled = new URL("../../shared/reach/", import.meta.url);
const articles = new URL("../../shared/quality/dev/", import.meta.url);
const shortArticles = [150, 250];
const folds = 10;
const cpuPages = 150;
const cpuRounds = 5;

export async function measure() {
  if (!existsSync(labelled)) {
    console.log("skipped: the labelled answers are not at ../shared/reach");
    return null;
  }
  const { readCases, score } = await import(new URL("score.mjs", labelled).href);
  const cases = readCases(new URL("dev", labelled).pathname).map(readCase);
  const figuresOf = (signsFor) =>
    score(cases.map((each) => ({ ...each.facts, ...said(each, signsFor(each)), problems: [] })));
  const inSample = figuresOf(() => vendorSignatures);
  const byHost = figuresOf(withoutOwnHosts(cases));
  const byVendor = figuresOf(withoutOwnVendor(cases));
  const share = cpuShare(cases.filter(({ facts }) => facts.label === "content"));
  const vendors = new Set(vendorSignatures.map(({ vendor }) => vendor)).size;
  const detail = `${cases.length} answers; ${vendorSignatures.length} signatures of ${vendors} vendors`;
  return [
    ...rows("in sample", inSample, detail),
    ...rows("cross-validated by host", byHost, `${folds} folds of hosts`),
    ...rows("with the page's own vendor withheld", byVendor, "every row of its vendor is left out"),
    ...disguisedArticles(cases),
    { what: "Verdict: share of a page's content CPU", value: share, unit: "%", bar: 5 },
  ];
}

function rows(how, { falseAlarms, refusedRecall, macroF1 }, detail) {
  const rounded = (value) => Math.round(value * 1000) / 1000;
  // An unknown vendor is harder: only false alarms have a bar there.
  const isBarred = !how.includes("vendor");
  return [
    { what: `False alarms per 1,000 pages, ${how}`, value: rounded(falseAlarms), unit: "", bar: 2, detail },
    {
      what: `Recall of blocked and challenge, ${how}`,
      value: rounded(refusedRecall),
      unit: "",
      bar: isBarred ? 0.95 : 0,
      isMinimum: true,
    },
    {
      what: `Macro F1 of twelve classes, ${how}`,
      value: rounded(macroF1),
      unit: "",
      bar: isBarred ? 0.85 : 0,
      isMinimum: true,
    },
  ];
}

function readCase({ read, ...row }) {
  const bytes = read();
  const contentType = row.headers["content-type"] ?? "text/html";
  const { root } = parseHtml(decodeBytes(bytes, { contentType }).text);
  const { id, label, vendor, accept = [], status, headers, url } = row;
  const response = { status, headers, askedUrl: url };
  return { facts: { id, label, vendor, accept }, bytes, contentType, root, parts: findParts(root), url, response };
}

function said({ root, parts, url, response }, signs) {
  const { state, vendor } = verdictOfPage(root, parts, url, response, signs);
  return { verdict: state, saidVendor: vendor };
}

/** For each case the row that speaks first, by its place in the table; -1 when none does. */
function firstSigns(cases) {
  const numbered = vendorSignatures.map((sign, place) => ({ ...sign, vendor: String(place) }));
  return cases.map((each) => Number(said(each, numbered).saidVendor ?? -1));
}

function withoutOwnHosts(cases) {
  const hosts = [...new Set(cases.map(({ url }) => siteOf(url)))].sort();
  const foldOf = new Map(hosts.map((host, place) => [host, place % folds]));
  const first = firstSigns(cases);
  const spoken = new Map();
  for (const [index, { url }] of cases.entries())
    if (first[index] >= 0)
      spoken.set(first[index], (spoken.get(first[index]) ?? new Set()).add(foldOf.get(siteOf(url))));
  const tables = Array.from({ length: folds }, (_, fold) =>
    vendorSignatures.filter((_sign, place) => !(spoken.get(place)?.size === 1 && spoken.get(place).has(fold))),
  );
  return ({ url }) => tables[foldOf.get(siteOf(url))];
}

/** Hosts of one owner are kept together. */
function siteOf(url) {
  return new URL(url).hostname.split(".").slice(-2).join(".");
}

function withoutOwnVendor(cases) {
  const first = firstSigns(cases);
  const places = new Map(cases.map((each, index) => [each, first[index]]));
  return (each) => {
    if (each.facts.label === "content") return vendorSignatures;
    const own = new Set([each.facts.vendor, vendorSignatures[places.get(each)]?.vendor]);
    return vendorSignatures.filter(({ vendor }) => !own.has(vendor));
  };
}

/**
 * The first words of articles on a page with everything that a block page has but its words, which scripts of vendors and pages about
 * them come close to. Status and headers say nothing.
 */
function disguisedArticles(cases) {
  if (!existsSync(articles)) return [];
  const folder = fileURLToPath(articles);
  const blockPages = cases.filter(({ facts }) => ["blocked", "challenge"].includes(facts.label)).map(partsOfBlockPage);
  const entries = readIndex(folder).filter(
    ({ expected }) => expected && expected.split(/\s+/).length >= shortArticles.at(-1),
  );
  return shortArticles.map((count) => {
    const wrong = entries.filter(({ expected, url, ...entry }, at) => {
      const title = /<title[^>]*>([^<]*)/i.exec(readHtml(folder, entry))?.[1] ?? "";
      const words = expected.split(/\s+/).slice(0, count).join(" ").replaceAll("<", "&lt;");
      const parts = blockPages[at % blockPages.length];
      const { root } = parseHtml(
        `<head><title>${title}</title>${parts}</head><body><h1>${title}</h1>${parts}<p>${words}</p></body>`,
      );
      const response = { status: 200, headers: {}, askedUrl: url };
      return said({ root, parts: findParts(root), url, response }, vendorSignatures).verdict !== "content";
    });
    const value = Math.round((1000 * wrong.length) / entries.length) / 10;
    const what = `Articles of ${count} words among the parts of a block page, not called content`;
    return { what, value, unit: "%", bar: count > 200 ? 1 : 5, detail: `${entries.length} articles` };
  });
}

function partsOfBlockPage({ bytes, contentType }) {
  const scripts = /(<(script|style)[\s\S]*?<\/\2>)/gi;
  const text = decodeBytes(bytes, { contentType }).text.replace(/<\/?(?:html|head|body|title|!doctype)[^>]*>/gi, "");
  return text
    .split(scripts)
    .map((part, at) => (at % 3 === 1 ? part : at % 3 === 2 ? "" : part.replace(/>[^<]+/g, ">")))
    .join("");
}

function cpuShare(pages) {
  const tools = { model: contentModel(), languages: languageModel() };
  const some = pages.filter((_page, place) => place % Math.ceil(pages.length / cpuPages) === 0);
  const requests = some.map(({ bytes, contentType, url, response }) =>
    markdownRequest({ bytes, contentType, url, response }),
  );
  const shares = Array.from({ length: cpuRounds + 1 }, () => {
    const whole = cpuOf(requests, (request) => readContent(request, tools));
    const verdicts = cpuOf(some, (page) => said(page, vendorSignatures));
    return (100 * verdicts) / whole;
  });
  // The first round warms up.
  return Math.round(median(shares.slice(1)) * 100) / 100;
}

function cpuOf(pages, work) {
  const before = process.cpuUsage();
  for (const page of pages) work(page);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
