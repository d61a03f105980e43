// What the head of a page and its URL reveal about its kind and its text.
import type { Element } from "domhandler";
import { attribute, type PageParts, readMetaValues } from "../../html/index.ts";
import type { PageSign } from "./feature-names.ts";
import stored from "./page-sign-patterns.json" with { type: "json" };
import { pairOf, wordsOf } from "./word-hash.ts";

export interface PageSigns {
  titleWords: Set<number>;
  /** Pairs of neighbouring words in the description and in the text that the page's data hold. */
  descriptionPairs: Set<number>;
  bodyPairs: Set<number>;
  /** Words of the URL and the head that tell pages of one kind from others. */
  typeWords: number[];
  /** 1 or 0; a sign that is absent is 0. */
  values: ReadonlyMap<PageSign, number>;
}

/** By where it is looked for. */
const { data: inData, url: inUrl, generator: inGenerator } = stored;
const patterns = [inData, inUrl, inGenerator].map((rows) =>
  Object.entries(rows).map(([sign, pattern]) => [sign as PageSign, new RegExp(pattern)] as const),
);
const maxBody = 200_000;

/** The URL is the one that the page declares: the fetched one may be a mirror or a proxy. */
export function readSigns(parts: PageParts): PageSigns {
  const { byName, url, data } = readHead(parts);
  const description = byName.get("description") ?? byName.get("og:description") ?? "";
  return {
    titleWords: new Set(wordsOf(`${parts.title} ${byName.get("og:title") ?? ""}`.slice(0, 1000))),
    descriptionPairs: pairsOf(description.slice(0, 2000)),
    bodyPairs: pairsOf(bodyOf(data)),
    typeWords: typeWordsOf(parts, byName, data, url),
    values: values(byName, data, url),
  };
}

/** The values of the signs alone. */
export function readSignValues(parts: PageParts): ReadonlyMap<PageSign, number> {
  const { byName, url, data } = readHead(parts);
  return values(byName, data, url);
}

function readHead(parts: PageParts): { byName: Map<string, string>; url: string; data: string } {
  const byName = readMetaValues(parts);
  const canonical = parts.relations.find((link) => attribute(link, "rel")?.toLowerCase() === "canonical");
  const url = (canonical === undefined ? undefined : attribute(canonical, "href")) ?? byName.get("og:url") ?? "";
  return { byName, url, data: parts.data.map(dataText).join("\n") };
}

function values(meta: ReadonlyMap<string, string>, data: string, url: string): Map<PageSign, number> {
  const found = new Map<PageSign, number>();
  const type = (meta.get("og:type") ?? "").toLowerCase();
  for (const name of ["article", "product", "website"] as const) if (type.includes(name)) found.set(`og:${name}`, 1);
  const { host, path } = placeOf(url);
  found.set("path:home", path === "/" ? 1 : 0);
  const texts = [data, host + path, (meta.get("generator") ?? "").toLowerCase()];
  for (const [place, rows] of patterns.entries())
    for (const [name, pattern] of rows) if (pattern.test(texts[place] ?? "")) found.set(name, 1);
  if (meta.has("article:published_time")) found.set("published", 1);
  return found;
}

function typeWordsOf(parts: PageParts, meta: ReadonlyMap<string, string>, data: string, url: string): number[] {
  const { host, path } = placeOf(url);
  const declared = Array.from(data.matchAll(/"@type"\s*:\s*"(\w{1,40})"/g), ([, type]) => `ldtype${type}`);
  const text = [
    meta.get("og:type") ?? "",
    (meta.get("generator") ?? "").slice(0, 60),
    ...new Set(declared),
    ...(path.match(/[a-z]{1,20}/g) ?? []).slice(0, 30).map((word) => `path${word}`),
    ...(host.match(/[a-z]{1,20}/g) ?? []).map((word) => `host${word}`),
    path === "/" ? "homepage" : "",
  ].join(" ");
  return [...wordsOf(text), ...wordsOf(parts.title.slice(0, 200))];
}

function placeOf(url: string): { host: string; path: string } {
  const [, host = "", path = ""] = /^\w+:\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
  return { host: host.toLowerCase(), path: path.toLowerCase() };
}

function dataText(script: Element): string {
  const [text] = script.children;
  return text !== undefined && "data" in text ? text.data.slice(0, maxBody) : "";
}

/** The longest text that the page's data declare as its body, without parsing all of the data. */
function bodyOf(data: string): string {
  const start = /"(?:articleBody|reviewBody|text)"\s*:\s*"/g;
  let longest = "";
  for (let match = start.exec(data); match !== null; match = start.exec(data)) {
    let end = start.lastIndex;
    while (end < data.length && data.charCodeAt(end) !== 34) end += data.charCodeAt(end) === 92 ? 2 : 1;
    if (end - start.lastIndex > longest.length) longest = data.slice(start.lastIndex, end);
    start.lastIndex = end;
  }
  return longest.replace(/\\(?:u([\da-f]{4})|[nrt])/gi, (_, code?: string) =>
    code === undefined ? " " : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function pairsOf(text: string): Set<number> {
  const pairs = new Set<number>();
  const words = text === "" ? [] : wordsOf(text);
  for (let at = 1; at < words.length; at += 1) pairs.add(pairOf(words[at - 1] as number, words[at] as number));
  return pairs;
}
