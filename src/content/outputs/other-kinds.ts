// Texts other than HTML -> markdown: as they are, or fenced so that nothing in them is read as markup.
import type { Element } from "domhandler";
import { attribute, isElement, parseHtml, parseXml, textOf, walk } from "../../html/index.ts";
import type { ContentKind } from "../bytes/kind.ts";
import { codeFence, escapeText, linkTarget } from "../markdown/escape.ts";

/** Larger JSON stays as received: indenting would double its size and add nothing. */
const prettyJsonLength = 100_000;
const maxEntries = 500;

export interface OtherContent {
  markdown: string;
  title: string;
  links: string[];
}

export function readOther(text: string, kind: ContentKind, contentType: string | null): OtherContent {
  if (kind === "json") return { markdown: fenced(prettyJson(text), "json"), title: "", links: [] };
  if (kind === "xml") return readFeed(text) ?? { markdown: fenced(text, "xml"), title: "", links: [] };
  if (kind === "code") return { markdown: fenced(text, languageOf(contentType)), title: "", links: [] };
  return { markdown: text, title: "", links: [] };
}

function fenced(text: string, language: string): string {
  const body = text.trim();
  const fence = codeFence(body);
  return body === "" ? "" : `${fence}${language}\n${body}\n${fence}`;
}

function prettyJson(text: string): string {
  if (text.length > prettyJsonLength) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function languageOf(contentType: string | null): string {
  const subtype = contentType?.split(";", 1)[0]?.split("/")[1]?.trim().toLowerCase().replace(/^x-/, "") ?? "";
  return /^[a-z]{1,20}$/.test(subtype) ? subtype : "";
}

/** RSS, RDF and Atom: a heading and one section an entry. Null for other XML. */
function readFeed(text: string): OtherContent | null {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/.test(text.slice(0, 2000))) return null;
  const { root } = parseXml(text);
  const entries: Element[] = [];
  let channel: Element | null = null;
  walk(root, (node) => {
    if (!isElement(node)) return false;
    if (node.name === "channel" || node.name === "feed") channel ??= node;
    if (node.name !== "item" && node.name !== "entry") return true;
    entries.push(node);
    return false;
  });
  if (channel === null) return null;
  const title = fieldOf(channel, ["title"]);
  const links = entries.map(linkOf).filter((link) => /^https?:\/\//i.test(link));
  const sections = entries.slice(0, maxEntries).map(entryMarkdown);
  const head = [
    title && `# ${escapeText(title, false, false)}`,
    escapeText(fieldOf(channel, ["description", "subtitle"]), true, false),
  ];
  return { markdown: [...head, ...sections].filter(Boolean).join("\n\n"), title, links: [...new Set(links)] };
}

function entryMarkdown(entry: Element): string {
  const title = escapeText(fieldOf(entry, ["title"]) || "Untitled", false, true);
  const link = linkOf(entry);
  const heading = /^https?:\/\//i.test(link) ? `## [${title}](${linkTarget(link)})` : `## ${title}`;
  const summary = withoutTags(fieldOf(entry, ["description", "summary", "content", "content:encoded"]));
  return [heading, fieldOf(entry, ["pubDate", "published", "updated", "dc:date"]), escapeText(summary, true, false)]
    .filter(Boolean)
    .join("\n\n");
}

function linkOf(entry: Element): string {
  for (const child of entry.children) {
    if (!isElement(child) || child.name !== "link") continue;
    const link = attribute(child, "href") ?? textOf(child).trim();
    if (link !== "" && (attribute(child, "rel") ?? "alternate") === "alternate") return link;
  }
  return "";
}

function fieldOf(parent: Element, names: readonly string[]): string {
  for (const name of names) {
    for (const child of parent.children) {
      if (isElement(child) && child.name === name) return textOf(child).replace(/\s+/g, " ").trim();
    }
  }
  return "";
}

/** Summaries hold escaped HTML; its text is enough here. */
function withoutTags(html: string): string {
  return html.includes("<") ? textOf(parseHtml(html, 10_000).root).replace(/\s+/g, " ").trim() : html;
}
