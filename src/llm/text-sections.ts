// Long pages in pieces that end where their headings do, and the pieces that a question is most likely about.
import { estimateTokens, stem, wholeWords } from "../text/index.ts";

interface Piece {
  /** Headings above it, from the top. */
  headings: string;
  text: string;
  tokens: number;
}

const longestPieceTokens = 800;
/** What a page says first mostly says what it is about. */
const firstPieceBonus = 1;
const longestWord = 100;
const gap = "\n\n[…]\n\n";

/** The whole text in order, in parts of at most `maxTokens`. */
export function splitText(text: string, maxTokens: number): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let tokens = 0;
  for (const piece of splitPieces(text, Math.min(longestPieceTokens, maxTokens))) {
    if (tokens > 0 && tokens + piece.tokens > maxTokens) {
      parts.push(part.join("\n"));
      part = [];
      tokens = 0;
    }
    // A part that begins in the middle of a section says whose it is.
    part.push(tokens === 0 && parts.length > 0 ? withHeadings(piece) : piece.text);
    tokens += piece.tokens;
  }
  return tokens === 0 ? parts : [...parts, part.join("\n")];
}

/** The whole text when it fits, else the pieces with most words of the query, in their order. */
export function chooseText(text: string, query: string, maxTokens: number): { text: string; isShortened: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isShortened: false };
  const pieces = splitPieces(text, Math.min(longestPieceTokens, maxTokens));
  const ranked = rank(pieces, query);
  const chosen = new Set<Piece>();
  let tokens = 0;
  for (const piece of ranked) {
    const cost = piece.tokens + estimateTokens(piece.headings + gap);
    if (tokens + cost > maxTokens) continue;
    chosen.add(piece);
    tokens += cost;
  }
  const kept: string[] = [];
  pieces.forEach((piece, place) => {
    if (!chosen.has(piece)) return;
    const before = pieces[place - 1];
    const isNext = before !== undefined && chosen.has(before);
    kept.push(place === 0 ? piece.text : isNext ? `\n${piece.text}` : gap + withHeadings(piece));
  });
  return { text: kept.join(""), isShortened: true };
}

function withHeadings({ headings, text }: Piece): string {
  return headings === "" || text.startsWith("#") ? text : `${headings}\n\n${text}`;
}

function splitPieces(text: string, maxTokens: number): Piece[] {
  const pieces: Piece[] = [];
  const above: { level: number; line: string }[] = [];
  let lines: string[] = [];
  let tokens = 0;
  let headings = "";
  let isCode = false;

  const end = () => {
    if (lines.some((line) => line.trim() !== "")) pieces.push({ headings, text: lines.join("\n"), tokens });
    lines = [];
    tokens = 0;
    headings = above.map(({ line }) => line).join("\n");
  };

  for (const line of text.split("\n").flatMap((each) => cutLine(each, maxTokens))) {
    if (line.startsWith("```")) isCode = !isCode;
    const level = isCode ? 0 : (/^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0);
    const cost = estimateTokens(line) + 1;
    if (level > 0) {
      end();
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      above.push({ level, line });
    } else if (tokens + cost > maxTokens) {
      end();
    }
    lines.push(line);
    tokens += cost;
  }
  end();
  return pieces;
}

/** A line is hardly longer than a piece, and words stay whole where there are any. */
function cutLine(line: string, maxTokens: number): string[] {
  const tokens = estimateTokens(line);
  if (tokens < maxTokens) return [line];
  const length = Math.max(1, Math.floor((line.length / tokens) * (maxTokens - 1)));
  const parts: string[] = [];
  for (let at = 0; at < line.length; ) {
    const space = line.lastIndexOf(" ", at + length);
    const end = at + length < line.length && space > at + length - longestWord && space > at ? space + 1 : at + length;
    parts.push(line.slice(at, end));
    at = end;
  }
  return parts;
}

/** Best first. Words that few pieces have weigh more, words in headings twice. */
function rank(pieces: readonly Piece[], query: string): Piece[] {
  const wanted = termsOf(query);
  const found = pieces.map(({ headings, text }) => ({ body: termsOf(text), head: termsOf(headings) }));
  const scores = new Map<Piece, number>();
  const weights = [...wanted].map((term) => {
    const holders = found.filter(({ body, head }) => body.has(term) || head.has(term)).length;
    return { term, weight: Math.log(1 + pieces.length / (1 + holders)) };
  });
  pieces.forEach((piece, place) => {
    const { body, head } = found[place] ?? { body: wanted, head: wanted };
    const sum = weights.reduce(
      (total, { term, weight }) => total + (body.has(term) ? weight : 0) + (head.has(term) ? weight : 0),
      place === 0 ? firstPieceBonus : 0,
    );
    scores.set(piece, sum);
  });
  return pieces.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/** The stems of a text's words; `camelCase` is two. Short words of the Latin alphabet say little. */
function termsOf(text: string): Set<string> {
  const words = wholeWords(text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  return new Set(words.filter((word) => word.length > 2 || !/^[a-z0-9]/.test(word)).map(stem));
}
