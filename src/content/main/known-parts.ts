// Parts of pages that names and texts give away on any site, and that too few pages have for a model to learn them:
// footers, windows that open, captions, signatures, lines that lead elsewhere, and the sentences that open an article.
import { type Block, type BlockElement, type PageBlocks, wordCount, wordsBetween } from "./blocks.ts";
import { pageTypes } from "./feature-names.ts";
import { namesOf } from "./lexicon.ts";
import { fractionOf } from "./page-measures.ts";

const footerPart = 1;
const windowPart = 2;
const captionPart = 4;
const leadPart = 8;
const signaturePart = 16;
/** Set on everything inside of an article or main part: a footer there is the article's. */
const insidePart = 32;

/** How far the logarithms of odds move. */
const footerMove = 3;
const windowMove = 3;
const captionMove = 3;
const signatureMove = 3;
const leadMove = 3;
const onlyLinkMove = 2;
const elsewhereMove = 2;

/** Footers and windows that hold more than this share of a page's words are the page. */
const mostOfPage = 0.6;
const longestCaption = 60;
const longestLead = 150;
const shortestLead = 8;
/** An article is opened within so many blocks after its title, and not by links. */
const leadReach = 20;
const leadLinks = 0.3;
const onlyLinks = 0.9;
const shortestLink = 3;
const longestPointer = 25;
const sampledChars = 120;
const likelyForum = 0.2;

const roots = new Set(["html", "body"]);
const linkOwners = new Set(["p", "div", "section"]);

function named(words: string): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${words.replaceAll(" ", "|")})(?![a-z])`, "i");
}

const windowNames = named("modal modals popup pop-up lightbox offcanvas dialog drawer takeover");
const captionNames = named("caption captions figcaption credit credits bildunterschrift legend copyright");
const leadNames = named(
  "lead lede intro introduction teaser excerpt deck dek standfirst subtitle subheadline subhead chapo perex summary " +
    "abstract bajada einleitung vorspann sapo tldr kicker entradilla sommario ingress",
);
const signatureNames = named("signature signatures postsignature");

/** Lines that name other pages to read. */
const pointsElsewhere = new RegExp(
  "^[^\\p{L}]*(?:read (?:more|also|next|the full)|see also|also (?:read|see)|" +
    "related(?: (?:articles?|posts?|stories|content|news|coverage|links?|reading|topics?))?(?!\\p{L})|" +
    "more (?:from|on|stories|about|news)|recommended|you (?:may|might) (?:also )?(?:like|be interested|enjoy)|" +
    "don.t miss|click here|lesen sie|lies auch|mehr zum thema|das könnte|weitere (?:artikel|informationen|themen)|" +
    "mehr dazu|czytaj|zobacz|leer también|lea también|te puede interesar|lire aussi|à lire|vous aimerez|voir aussi|" +
    "leia (?:também|mais)|veja também|leggi anche|lees ook|читайте)",
  "iu",
);

export interface KnownParts {
  /** What is added to the logarithm of each block's odds. */
  moves: Float32Array;
  /** 1 for each block that is a caption. */
  captions: Uint8Array;
}

export function knownParts(page: PageBlocks, types: readonly number[]): KnownParts {
  const { blocks, elements } = page;
  const parts = partsOf(page);
  const article = types[pageTypes.indexOf("article")] as number;
  const isForum = (types[pageTypes.indexOf("forum")] as number) > likelyForum;
  const titleAt = blocks.findIndex(({ owner }) => elements[owner]?.element.name === "h1");
  const moves = new Float32Array(blocks.length);
  const captions = new Uint8Array(blocks.length);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as Block;
    const part = parts[block.owner] ?? 0;
    const links = fractionOf(block.linkChars, block.chars);
    let move = 0;
    if (part & footerPart) move -= footerMove;
    if (part & windowPart) move -= windowMove;
    if (part & captionPart) {
      move -= captionMove;
      captions[at] = 1;
    }
    if (part & signaturePart && isForum) move -= signatureMove;
    const isOpening = titleAt >= 0 && at > titleAt && at <= titleAt + leadReach;
    if (part & leadPart && isOpening && wordCount(block) >= shortestLead && links < leadLinks)
      move += leadMove * article;
    if (links > onlyLinks && wordCount(block) >= shortestLink && linkOwners.has(ownerName(elements, block)))
      move -= onlyLinkMove * article ** 3;
    if (wordCount(block) <= longestPointer && pointsElsewhere.test(textOf(page, block)))
      move -= elsewhereMove * article;
    moves[at] = move;
  }
  return { moves, captions };
}

function ownerName(elements: readonly BlockElement[], { owner }: Block): string {
  return elements[owner]?.element.name ?? "";
}

function textOf({ texts }: PageBlocks, { textFirst, textEnd }: Block): string {
  let text = "";
  for (let at = textFirst; at < textEnd && text.length < sampledChars; at += 1)
    text += texts[at]?.data.slice(0, sampledChars) ?? "";
  return text.replace(/\s+/g, " ");
}

/** The parts that each element is or belongs to, as bits. */
function partsOf(page: PageBlocks): Uint8Array {
  const { elements, words } = page;
  const parts = new Uint8Array(elements.length);
  const known = new Map<string, number>();
  for (let place = 0; place < elements.length; place += 1) {
    const entry = elements[place] as BlockElement;
    const { name } = entry.element;
    const above = entry.parent < 0 ? 0 : (parts[entry.parent] as number);
    if (roots.has(name)) continue;
    const inside = above | (name === "article" || name === "main" ? insidePart : 0);
    parts[place] = inside | ownParts(entry, inside, wordsBetween(page, entry), words.length, known);
  }
  return parts;
}

function ownParts(
  { element }: BlockElement,
  inside: number,
  size: number,
  total: number,
  known: Map<string, number>,
): number {
  const { name } = element;
  let own = partsByName(namesOf(element), known);
  if (name === "dialog") own |= windowPart;
  if (name === "footer" && (inside & insidePart) === 0) own |= footerPart;
  if (size >= total * mostOfPage) own &= ~(footerPart | windowPart);
  if (name === "table" || name === "caption" || size > longestCaption) own &= ~captionPart;
  if (name === "figcaption") own |= captionPart;
  if (size > longestLead) own &= ~leadPart;
  return own;
}

function partsByName(names: string, known: Map<string, number>): number {
  if (names === "") return 0;
  const before = known.get(names);
  if (before !== undefined) return before;
  const parts =
    (names.includes("contentinfo") ? footerPart : 0) |
    (windowNames.test(names) ? windowPart : 0) |
    (captionNames.test(names) ? captionPart : 0) |
    (leadNames.test(names) ? leadPart : 0) |
    (signatureNames.test(names) ? signaturePart : 0);
  known.set(names, parts);
  return parts;
}
