// Finds prompt injections: words of a page to the language model that reads it. Quoted and explained ones are not attacks; hidden ones are.
import type { AnyNode } from "domhandler";
import { isElement, isText, type PageParts, walk } from "../../html/index.ts";
import { type InjectionPlace, leakingUrls, longestQuote, placesIn } from "./match-rules.ts";

/** The rest of a text is ignored. */
const longestText = 300_000;
const maxPlaces = 100;
/** Fewer letters spelled by tags may be an accident. */
const leastSmuggled = 8;
const maxLinks = 2000;
/** Code in a text. */
const fences = /^(`{3,}|~{3,})[\s\S]*?^\1/gm;

export interface WordsOfPage {
  /** What people see. */
  roots: readonly AnyNode[];
  /** Further texts that outputs show: titles, texts of pictures. */
  more: readonly string[];
  /** The URLs of links and pictures. */
  urls: readonly string[];
  /** What was taken out. */
  hidden: readonly string[];
  /** Text spelled in invisible characters. */
  smuggled: readonly string[];
}

export function findInjections({ roots, more, urls, hidden, smuggled }: WordsOfPage): InjectionPlace[] {
  const found: InjectionPlace[] = smuggled
    .filter((words) => words.length >= leastSmuggled)
    .map((words) => ({ kind: "smuggled", where: "hidden", text: words.slice(0, longestQuote) }));
  const secret = hidden.join("\n").slice(0, longestText);
  if (secret !== "") found.push(...placesIn(secret, "hidden"));
  const seen = `${more.join("\n")}\n${seenText(roots)}`;
  found.push(...placesIn(seen, "text"), ...leakingUrls(urls));
  return found.slice(0, maxPlaces);
}

/** The same of a text that is no HTML; `isData`: its words are in quotation marks. */
export function findInjectionsInText(text: string, isData: boolean): InjectionPlace[] {
  const all = text.slice(0, longestText);
  const seen = isData ? all.replace(/"(?:\s{0,9}:\s{0,9}")?/g, "\n") : all.replace(fences, "");
  return placesIn(seen, "text").slice(0, maxPlaces);
}

/** The words of a page besides its text: title, description, texts of pictures, and URLs of its links. */
export function wordsBeside({ title, metas, images, anchors }: PageParts): Pick<WordsOfPage, "more" | "urls"> {
  const more = [title];
  for (const { attribs } of metas)
    if (attribs["content"] && /description|title/.test(attribs["name"] ?? attribs["property"] ?? ""))
      more.push(attribs["content"]);
  const urls: string[] = [];
  for (const { attribs } of images.slice(0, maxLinks)) {
    if (attribs["alt"]) more.push(attribs["alt"]);
    if (attribs["src"]) noteUrl(attribs["src"], urls);
  }
  for (const { attribs } of anchors.slice(0, maxLinks)) if (attribs["href"]) noteUrl(attribs["href"], urls);
  return { more, urls };
}

/** Only of URLs with a gap to be filled. */
function noteUrl(url: string, urls: string[]): void {
  if (url.includes("=") && /=(?:[[{<]|\$\{|%7B|%5B)/i.test(url)) urls.push(url.slice(0, 500));
}

const code = new Set(["script", "style", "noscript", "template", "svg"]);
/** Elements that quote. */
const quoting = new Set([...code, "code", "pre", "blockquote", "q", "kbd", "samp", "textarea"]);
const inline = new Set(
  "a abbr b bdi bdo big cite data del dfn em font i ins label mark s small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

export function seenText(roots: readonly AnyNode[]): string {
  let text = "";
  const take = (node: AnyNode): boolean | "stop" => {
    if (isText(node)) {
      text += node.data;
      return text.length < longestText || "stop";
    }
    if (!isElement(node) || inline.has(node.name)) return true;
    text += "\n";
    return !quoting.has(node.name);
  };
  for (const root of roots) if (take(root) === true && isElement(root)) walk(root, take);
  return text.slice(0, longestText);
}

/** The texts of nodes that were taken out of a page. */
export function hiddenTextsOf(nodes: Iterable<AnyNode>): string[] {
  return Array.from(nodes, (node) => {
    if (isText(node)) return node.data;
    const parts: string[] = [];
    if ("children" in node) {
      walk(node, (below) => {
        if (isText(below)) parts.push(below.data);
        return isText(below) || !code.has(below.name);
      });
    }
    return parts.join(" ");
  });
}
