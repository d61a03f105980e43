// Texts of a page as foreign answers have them.
import { splitList } from "../../base/index.ts";
import type { DialectTools } from "./dialect.ts";

/** A link or an image; neither its text nor its URL holds a bracket, so that no attempt reads past the next one. */
const link = /!?\[([^[\]\n]*)\]\((?:<[^>\n]*>|[^\s)[\]]*)(?:[ \t]"[^"\n[\]]*")?\)/g;
/** Of a heading, a quote or an item of a list. */
const mark = /^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}\.)[ \t]+)+/gm;
const ruler =
  /^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*:?-*:?[ \t]*$|^[ \t]*(?:```|~~~).*$/gm;

/** Markdown without its marks: the text of links and images stays, one block per line. */
export function plainTextOf(markdown: string): string {
  return (
    markdown
      .replace(ruler, "")
      .replace(link, "$1")
      // An image may be the text of a link.
      .replace(link, "$1")
      .replace(mark, "")
      .replace(/(?<!\\)(?:\*\*|__|~~|[*`|])/g, " ")
      .replace(/\\(?=[^\w\s])/g, "")
      .replace(/[ \t]+/g, " ")
      .replace(/ *\n */g, "\n")
      .replace(/\n{2,}/g, "\n")
      .trim()
  );
}

/** The media types of an Accept header, without their parameters. */
export function acceptedTypes(accept = ""): string[] {
  return splitList(accept).map((type) => type.split(";", 1)[0]?.trim().toLowerCase() ?? "");
}

export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

const longestPassage = 500;
/** How much of a page is searched for passages. */
const lookedAt = 200_000;

export interface FoundPassage {
  text: string;
  score: number;
}

/** The passages of a page that fit a query best, in the order of the page; the beginning when no word of it is there. */
export async function bestPassages(
  { rankTexts }: Pick<DialectTools, "rankTexts">,
  markdown: string,
  query: string,
  { count, maxCharacters = longestPassage }: { count: number; maxCharacters?: number | undefined },
): Promise<FoundPassage[]> {
  const pieces = cutIntoPassages(plainTextOf(markdown.slice(0, lookedAt)), Math.min(maxCharacters, longestPassage));
  const ranked = await rankTexts(query, pieces);
  const fitting = ranked.filter(({ score }) => score > 0);
  const best =
    fitting.length > 0 ? fitting.slice(0, count) : pieces.slice(0, 1).map((_, index) => ({ index, score: 0 }));
  return best
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, score }) => ({ text: pieces[index] ?? "", score: Math.round(score * 10_000) / 10_000 }));
}

export function joinPassages(passages: readonly FoundPassage[]): string {
  return passages.map(({ text }) => text).join(" [...] ");
}

/** Whole blocks where they fit, several short ones together, and long ones cut after sentences or words. */
function cutIntoPassages(text: string, longest: number): string[] {
  const passages: string[] = [];
  let open = "";
  const close = () => {
    if (open !== "") passages.push(open);
    open = "";
  };
  for (const block of text.split("\n")) {
    for (let rest = block.trim(); rest !== ""; ) {
      const piece = rest.length <= longest ? rest : cutAt(rest, longest);
      rest = rest.slice(piece.length).trim();
      if (open.length + piece.length + 1 > longest) close();
      open = open === "" ? piece.trim() : `${open} ${piece.trim()}`;
    }
  }
  close();
  return passages;
}

function cutAt(text: string, longest: number): string {
  const head = text.slice(0, longest);
  const sentence = Math.max(...[". ", "! ", "? ", "。", "！", "？"].map((end) => head.lastIndexOf(end)));
  const place = sentence > longest / 2 ? sentence + 1 : head.lastIndexOf(" ");
  const end = place > longest / 2 ? place : longest;
  // Not between the halves of a surrogate pair.
  const code = text.charCodeAt(end);
  return text.slice(0, code >= 0xdc00 && code <= 0xdfff ? end - 1 : end);
}
