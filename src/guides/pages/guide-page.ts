// A page of the site: its markdown, and what the markdown says about it.
import { lexer, type Token, type Tokens } from "marked";

export interface GuidePage {
  /** Below /docs, without an ending; empty for the front page. */
  path: string;
  title: string;
  /** Its first sentence. */
  description: string;
  markdown: string;
}

/** A heading and the text below it, up to the next one. */
export interface GuideSection {
  page: GuidePage;
  heading: string;
  /** Empty for what is before the second heading. */
  anchor: string;
  text: string;
}

export const frontFile = "README.md";
const longestDescription = 200;

/** The title and the first paragraph are within so many characters. */
const beginning = 2000;

export function makePage(path: string, markdown: string): GuidePage {
  const tokens = lexer(markdown.slice(0, beginning));
  const heading = tokens.find((token) => token.type === "heading");
  const first = tokens.find((token) => token.type === "paragraph");
  const description = firstSentence(first ? readableText([first]) : "");
  return { path, title: heading ? readableText([heading]) : path, description, markdown };
}

/** Where its source is served, below /docs. */
export function twinOf({ path }: Pick<GuidePage, "path">): string {
  return path === "" ? frontFile : `${path}.md`;
}

export function urlOf(path: string): string {
  return path === "" ? "/docs" : `/docs/${path}`;
}

/** The anchors of headings, as code hosts make them: the second of a name gets a number. */
export function createSlugs(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(plain) ?? 0;
    used.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
}

/** Deeper headings are part of the section that they are in. */
const sectionDepth = 3;

export function sectionsOf(page: GuidePage): GuideSection[] {
  const slugOf = createSlugs();
  const sections: GuideSection[] = [{ page, heading: page.title, anchor: "", text: "" }];
  for (const token of lexer(page.markdown)) {
    const text = readableText([token]);
    const anchor = token.type === "heading" ? slugOf(text) : "";
    if (token.type === "heading" && token["depth"] > 1 && token["depth"] <= sectionDepth) {
      sections.push({ page, heading: text, anchor, text: "" });
    } else if (token.type !== "heading" || token["depth"] > 1) {
      const section = sections.at(-1);
      if (section) section.text = `${section.text}${text}\n`;
    }
  }
  return sections.filter(({ text }) => text.trim() !== "");
}

/** Text as it is read, without marks. */
export function readableText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "table") return plainTable(token as Tokens.Table);
      if (token.type === "list")
        return (token as Tokens.List).items.map(({ tokens: own }) => readableText(own)).join("\n");
      if (token.type === "html" || token.type === "space" || token.type === "def") return "";
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens) return readableText(token.tokens);
      return "text" in token ? token.text : "";
    })
    .join("");
}

function plainTable({ header, rows }: Tokens.Table): string {
  return [header, ...rows].map((row) => row.map(({ tokens }) => readableText(tokens)).join(" · ")).join("\n");
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const sentence = /^.*?[.:!?](?= [A-Z]|$)/.exec(line)?.[0] ?? line;
  return sentence.length <= longestDescription
    ? sentence.replace(/:$/, ".")
    : `${sentence.slice(0, sentence.lastIndexOf(" ", longestDescription))} …`;
}
