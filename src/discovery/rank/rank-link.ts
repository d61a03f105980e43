// How much of each term of a query one link holds, in its URL and its texts. URLs are cut by hand: `new URL`
// would add 0.8 µs a link to some 3.
import { domainToUnicode } from "node:url";
import { foldSpelling } from "../../text/index.ts";
import { codesOf, decodePercent, readWords, textOfCodes, type WordListener } from "./link-words.ts";
import type { Hit, RankQuery } from "./rank-query.ts";

export interface LinkTexts {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Texts of links that lead here. */
  readonly anchors?: readonly string[] | undefined;
}

export interface RankedLink extends LinkTexts {
  readonly url: string;
}

/** A URL as codes. */
export interface CopiedUrl {
  readonly length: number;
  /** So many codes at the beginning are as they were before. */
  readonly unchanged: number;
}

export interface LinkReader {
  /** Reads a link into `slots` and `values`; answers by what share its score grows for being just what is asked for. */
  read(link: RankedLink): number;
  /** The same for a link whose URL is in `urlCodes` already. */
  readCopied(url: CopiedUrl, texts: LinkTexts): number;
  readonly urlCodes: Uint16Array;
  /** Slots that the link read last has something in: terms, then, after all terms, each term's pair with its follower. */
  readonly slots: readonly number[];
  readonly values: Float64Array;
}

const maxUrlLength = 2000;
const maxTextLength = 1000;
const maxAnchors = 4;
/** `.xhtml`. */
const longestEnding = 6;
const [hash, percent, fullStop, slash, questionMark, lastAscii] = [35, 37, 46, 47, 63, 127];
/** For a link whose name or title is nothing but the query. */
const exactBonus = 0.15;
/** For a page at the top; halved one folder below. Decides between links that are equal otherwise. */
const topBonus = 0.02;

interface Field {
  readonly weight: number;
  /** How much a field's length counts against it, and the number of words at which it does not. */
  readonly lengthEffect: number;
  readonly usualLength: number;
}

const hostField: Field = { weight: 0.8, lengthEffect: 0.3, usualLength: 2 };
const folderField: Field = { weight: 0.8, lengthEffect: 0.4, usualLength: 3 };
/** The last part of the path; of a home page its host. */
const nameField: Field = { weight: 1.2, lengthEffect: 0.4, usualLength: 5 };
const parameterField: Field = { weight: 0.4, lengthEffect: 0.5, usualLength: 3 };
const titleField: Field = { weight: 1.2, lengthEffect: 0.4, usualLength: 8 };
const anchorField: Field = { weight: 0.9, lengthEffect: 0.4, usualLength: 4 };
const descriptionField: Field = { weight: 0.4, lengthEffect: 0.5, usualLength: 20 };

export function createLinkReader(query: RankQuery): LinkReader {
  const gatherer = createGatherer(query);
  const urlCodes = new Uint16Array(maxUrlLength);
  let room: Uint16Array = new Uint16Array(maxUrlLength);
  /** The latest origin, `https://example.com/`, and what its host holds: it is mostly the same. */
  let origin: Uint16Array = new Uint16Array(0);
  let hostHits: readonly Hit[] = [];
  const readHost = (field: Field): number => {
    gatherer.note(hostHits, 0);
    return gatherer.close(hostHits.length, field);
  };
  const readPart = (codes: Uint16Array, from: number, to: number, field: Field): number =>
    gatherer.close(readWords(codes, from, to, gatherer), field);
  const readText = (text: string, field: Field): number => {
    const folded = foldSpelling(text.length > maxTextLength ? text.slice(0, maxTextLength) : text);
    room = codesOf(folded, room);
    return readPart(room, 0, folded.length, field);
  };
  /** Answers where the host ends. */
  const learnHost = (url: string): number => {
    const scheme = url.indexOf("://");
    const hostFrom = scheme < 0 ? 0 : scheme + 3;
    let hostEnd = hostFrom;
    while (hostEnd < url.length && !isHostEnd(url.charCodeAt(hostEnd))) hostEnd += 1;
    hostHits = matchHost(url.slice(hostFrom, hostEnd), query);
    origin = scheme >= 0 && url[hostEnd] === "/" ? codesOf(url.slice(0, hostEnd + 1)) : new Uint16Array(0);
    return hostEnd;
  };
  const readUrl = ({ length, unchanged }: CopiedUrl): { share: number; depth: number } => {
    const isKnown = origin.length > 0 && unchanged >= origin.length;
    const hostEnd =
      isKnown || startsWith(urlCodes, length, origin) ? origin.length - 1 : learnHost(textOfCodes(urlCodes, 0, length));
    readHost(hostField);
    const cut = cutPath(urlCodes, hostEnd, length);
    if (cut.isPlainPath && isPlain(urlCodes, cut.pathEnd, length)) return readPath(urlCodes, cut, length);
    const text = foldSpelling(decodePercent(textOfCodes(urlCodes, hostEnd, length)));
    room = codesOf(text, room);
    return readPath(room, cutPath(room, 0, text.length), text.length);
  };
  const readPath = (codes: Uint16Array, cut: PathCut, to: number): { share: number; depth: number } => {
    const { from, pathEnd, nameFrom, nameEnd, depth } = cut;
    if (pathEnd < to) readPart(codes, pathEnd, to, parameterField);
    if (pathEnd <= from + 1) return { share: pathEnd < to ? 0 : readHost(nameField), depth: 0 };
    readPart(codes, from, nameFrom, folderField);
    return { share: readPart(codes, nameFrom, nameEnd, nameField), depth };
  };
  const readCopied = (url: CopiedUrl, { title, anchors, description }: LinkTexts): number => {
    gatherer.clear();
    const { share, depth } = readUrl(url);
    const titleShare = title ? readText(title, titleField) : 0;
    if (anchors) for (const text of anchors.slice(0, maxAnchors)) readText(text, anchorField);
    if (description) readText(description, descriptionField);
    return exactBonus * Math.min(1, Math.max(share, titleShare)) + topBonus / (1 + depth);
  };
  return {
    slots: gatherer.slots,
    values: gatherer.values,
    urlCodes,
    read(link) {
      const url = link.url.length > maxUrlLength ? link.url.slice(0, maxUrlLength) : link.url;
      codesOf(url, urlCodes);
      return readCopied({ length: url.length, unchanged: 0 }, link);
    },
    readCopied,
  };
}

/** Gathers the hits of one field after the other, and of all fields of a link. */
function createGatherer(query: RankQuery) {
  const termCount = query.weights.length;
  const slots: number[] = [];
  const values = new Float64Array(termCount * 2);
  const fieldSlots: number[] = [];
  const fieldValues = new Float64Array(termCount * 2);
  let lastTerm = -1;
  let lastPosition = 0;
  let matched = 0;
  const gather = (slot: number, amount: number) => {
    if (fieldValues[slot] === 0) fieldSlots.push(slot);
    fieldValues[slot] = (fieldValues[slot] as number) + amount;
  };
  const note = (hits: readonly Hit[], position: number) => {
    for (const { term, weight } of hits) {
      gather(term, weight);
      // One word may be between the two.
      if (lastTerm >= 0 && query.next[lastTerm] === term && position - lastPosition <= 2)
        gather(termCount + lastTerm, 1);
      lastTerm = term;
      lastPosition = position;
    }
    if (hits.length > 0) matched += 1;
  };
  const listener: WordListener = {
    wants: query.wants,
    take(word, position) {
      const hits = query.match(word);
      if (hits) note(hits, position);
      return hits !== null;
    },
  };
  return {
    ...listener,
    slots: slots as readonly number[],
    values,
    note,
    /** Ends a field of so many words; answers the share of them that matched. */
    close(length: number, { weight, lengthEffect, usualLength }: Field): number {
      if (matched === 0) return 0;
      const factor = weight / (1 - lengthEffect + (lengthEffect * length) / usualLength);
      for (const slot of fieldSlots) {
        if (values[slot] === 0) slots.push(slot);
        values[slot] = (values[slot] as number) + (fieldValues[slot] as number) * factor;
        fieldValues[slot] = 0;
      }
      const share = matched / Math.max(length, 1);
      while (fieldSlots.length > 0) fieldSlots.pop();
      lastTerm = -1;
      matched = 0;
      return share;
    },
    clear() {
      // Setting the length to 0 takes longer than all of this.
      while (slots.length > 0) values[slots.pop() as number] = 0;
    },
  };
}

function isHostEnd(code: number): boolean {
  return code === slash || code === questionMark || code === hash;
}

function startsWith(codes: Uint16Array, length: number, start: Uint16Array): boolean {
  if (start.length === 0 || start.length > length) return false;
  for (let index = 0; index < start.length; index += 1) if (codes[index] !== start[index]) return false;
  return true;
}

/** Whether there is nothing to decode and nothing to fold. */
function isPlain(codes: Uint16Array, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    const code = codes[index] as number;
    if (code === percent || code > lastAscii) return false;
  }
  return true;
}

interface PathCut {
  from: number;
  pathEnd: number;
  nameFrom: number;
  nameEnd: number;
  depth: number;
  /** As `isPlain` says of the path: asked here, because every pass over a million URLs counts. */
  isPlainPath: boolean;
}

/** Where the path ends, and in it the name of the page, without slashes after it and without an ending such as `.html`. */
function cutPath(codes: Uint16Array, from: number, to: number): PathCut {
  let isPlainPath = true;
  let depth = -1;
  let nameFrom = from;
  let nameEnd = from;
  let partFrom = from;
  let at = from;
  for (; ; at += 1) {
    const code = at < to ? (codes[at] as number) : questionMark;
    // Nearly all are letters.
    if (code > questionMark) {
      if (code > lastAscii) isPlainPath = false;
    } else if (code === percent) {
      isPlainPath = false;
    } else if (isHostEnd(code)) {
      if (at > partFrom) {
        nameFrom = partFrom;
        nameEnd = at;
        if (partFrom > from) depth += 1;
      }
      partFrom = at + 1;
      if (code !== slash) break;
    }
  }
  for (let dot = nameEnd - 1; dot > nameFrom && nameEnd - dot <= longestEnding; dot -= 1) {
    if (codes[dot] !== fullStop) continue;
    nameEnd = dot;
    break;
  }
  return { from, pathEnd: at, nameFrom, nameEnd, depth: Math.max(depth, 0), isPlainPath };
}

/** All labels but `www` and the public ending. */
function matchHost(text: string, query: RankQuery): Hit[] {
  const named = text.replace(/^.*@|:\d*$/g, "").toLowerCase();
  const host = foldSpelling(named.includes("xn--") ? domainToUnicode(named) : named);
  const own = host.replace(/(\.(?:co|com|org|net|gov|ac|edu))?\.[^.]*$/, "").replace(/^www\d?\./, "");
  return own.split(/[.-]/).flatMap((label) => query.matchLabel(label) ?? []);
}
