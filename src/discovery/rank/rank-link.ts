// How much of each term of a query one link holds, in its URL and its texts. URLs are cut by hand: `new URL`
// would add 0.8 µs a link to some 3.
import { domainToUnicode } from "node:url";
import { foldSpelling } from "../../text/index.ts";
import { decodePercent, readWords, type WordListener } from "./link-words.ts";
import type { Hit, RankQuery } from "./rank-query.ts";

export interface RankedLink {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Texts of links that lead here. */
  readonly anchors?: readonly string[] | undefined;
}

export interface LinkReader {
  /** Reads a link into `slots` and `values`; answers by what share its score grows for being just what is asked for. */
  read(link: RankedLink): number;
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
  /** The latest origin, `https://example.com/`, and what its host holds: it is mostly the same. */
  let origin = "\0";
  let hostHits: readonly Hit[] = [];
  const readHost = (field: Field): number => {
    gatherer.note(hostHits, 0);
    return gatherer.close(hostHits.length, field);
  };
  const readPart = (text: string, from: number, to: number, field: Field): number =>
    gatherer.close(readWords(text, from, to, gatherer), field);
  const readText = (text: string, field: Field): number => {
    const folded = foldSpelling(text.slice(0, maxTextLength));
    return readPart(folded, 0, folded.length, field);
  };
  /** Returns where the host ends. */
  const learnHost = (url: string): number => {
    const scheme = url.indexOf("://");
    const hostFrom = scheme < 0 ? 0 : scheme + 3;
    let hostEnd = hostFrom;
    while (hostEnd < url.length && !isHostEnd(url.charCodeAt(hostEnd))) hostEnd += 1;
    hostHits = matchHost(url.slice(hostFrom, hostEnd), query);
    origin = scheme >= 0 && url[hostEnd] === "/" ? url.slice(0, hostEnd + 1) : "\0";
    return hostEnd;
  };
  const readUrl = (url: string): { share: number; depth: number } => {
    const hostEnd = url.startsWith(origin) ? origin.length - 1 : learnHost(url);
    readHost(hostField);
    const cut = cutPath(url, hostEnd);
    if (cut.isPlainPath && isPlain(url, cut.pathEnd)) return readPath(url, cut);
    const text = foldSpelling(decodePercent(url.slice(hostEnd)));
    return readPath(text, cutPath(text, 0));
  };
  const readPath = (text: string, { from, pathEnd, nameFrom, nameEnd, depth }: PathCut) => {
    if (pathEnd < text.length) readPart(text, pathEnd, text.length, parameterField);
    if (pathEnd <= from + 1) return { share: pathEnd < text.length ? 0 : readHost(nameField), depth: 0 };
    readPart(text, from, nameFrom, folderField);
    return { share: readPart(text, nameFrom, nameEnd, nameField), depth };
  };
  return {
    slots: gatherer.slots,
    values: gatherer.values,
    read({ url, title, anchors, description }) {
      gatherer.clear();
      const { share, depth } = readUrl(url.slice(0, maxUrlLength));
      const titleShare = title ? readText(title, titleField) : 0;
      if (anchors) for (const text of anchors.slice(0, maxAnchors)) readText(text, anchorField);
      if (description) readText(description, descriptionField);
      return exactBonus * Math.min(1, Math.max(share, titleShare)) + topBonus / (1 + depth);
    },
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

/** Whether there is nothing to decode and nothing to fold. */
function isPlain(text: string, from: number): boolean {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
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
  /** As `isPlain` says of the path: asked here, to save a pass over the URL. */
  isPlainPath: boolean;
}

/** Where the path ends, and in it the name of the page, without slashes after it and without an ending such as `.html`. */
function cutPath(text: string, from: number): PathCut {
  let isPlainPath = true;
  let depth = -1;
  let nameFrom = from;
  let nameEnd = from;
  let partFrom = from;
  let at = from;
  for (; ; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : questionMark;
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
    if (text.charCodeAt(dot) !== fullStop) continue;
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
