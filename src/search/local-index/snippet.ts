// The passage of a text that best shows why it was found.
import type { WordRun } from "../../store/index.ts";
import { splitWords } from "../../text/index.ts";
import type { Stemmer } from "./page-words.ts";

const windowLength = 220;
const longestLead = 70;
const longestSnippet = 290;
/** How many characters are searched for a passage. */
const lookedAt = 30_000;

const piece =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3100-\u312f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]|[\p{L}\p{N}\p{M}]+/gu;

interface Hit {
  start: number;
  word: string;
}

/** Makes one line of up to 300 characters of a text, with an ellipsis where text is left out. */
export function createSnippets(runs: readonly WordRun[], stems: Stemmer): (text: string) => string {
  const wanted = new Set(runs.flat());
  const known = new Map<string, string | null>();
  // A word of ASCII letters starts like its stem, so most words are ruled out without stemming.
  const firstCodes = new Set([...wanted].map((word) => word.charCodeAt(0)));
  const wordOf = (piece: string): string | null => {
    const first = piece.charCodeAt(0);
    if (first < 128 && !firstCodes.has(first >= 65 && first <= 90 ? first + 32 : first)) return null;
    const kept = known.get(piece);
    if (kept !== undefined) return kept;
    const word = stems(splitWords(piece)).find((one) => wanted.has(one)) ?? null;
    known.set(piece, word);
    return word;
  };
  return (text) => {
    const line = text.slice(0, lookedAt).replace(/\s+/g, " ").trim();
    const start = startOf(line, wanted.size > 0 ? densestStart(findHits(line, wordOf)) : 0);
    const end = endOf(line, start);
    const isCut = end < line.length || text.length > lookedAt;
    return `${start > 0 ? "… " : ""}${line.slice(start, end).trim()}${isCut ? " …" : ""}`.trim();
  };
}

function findHits(line: string, wordOf: (piece: string) => string | null): Hit[] {
  const hits: Hit[] = [];
  for (const { index, 0: found } of line.matchAll(piece)) {
    const word = wordOf(found);
    if (word !== null) hits.push({ start: index, word });
  }
  return hits;
}

/** Where the window with the most different words starts; repeated words count a little, and the first of equals wins. */
function densestStart(hits: readonly Hit[]): number {
  let best = { start: 0, value: 0 };
  let to = 0;
  const inside = new Map<string, number>();
  for (const { start, word } of hits) {
    for (let next = hits[to]; next && next.start <= start + windowLength; next = hits[to]) {
      inside.set(next.word, (inside.get(next.word) ?? 0) + 1);
      to += 1;
    }
    let count = 0;
    for (const times of inside.values()) count += times;
    const value = inside.size + Math.min(count - inside.size, 5) * 0.1;
    if (value > best.value) best = { start, value };
    const left = (inside.get(word) ?? 1) - 1;
    if (left > 0) inside.set(word, left);
    else inside.delete(word);
  }
  return best.start;
}

/** The start of the sentence when it is near, otherwise of a word shortly before. */
function startOf(line: string, hit: number): number {
  if (hit <= longestLead) return 0;
  const lead = line.slice(hit - longestLead, hit);
  const sentence = /^.*(?:[.!?…]\s|[。！？])/s.exec(lead)?.[0].length;
  if (sentence !== undefined) return hit - longestLead + sentence;
  const space = lead.indexOf(" ", longestLead / 2);
  return whole(line, space < 0 ? hit - 10 : hit - longestLead + space + 1);
}

function endOf(line: string, start: number): number {
  const limit = start + longestSnippet;
  if (line.length <= limit) return line.length;
  const space = line.lastIndexOf(" ", limit);
  return whole(line, space > limit - 40 ? space : limit);
}

/** Not between the halves of a surrogate pair. */
function whole(line: string, place: number): number {
  const code = line.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
