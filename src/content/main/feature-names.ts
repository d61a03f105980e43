// The features that the model reads, in the order of its columns. A stored model carries the same list, and loading it
// compares the two (stored-model.ts): a change here needs a newly trained model.

export const pageTypes = ["article", "documentation", "forum", "product", "listing", "collection", "service"] as const;

/** Flags that an element hands down to everything in it, from the lowest bit on. */
export const flagNames = [
  "nav",
  "header",
  "footer",
  "aside",
  "main",
  "article",
  "form",
  "table",
  "list",
  "figure",
  "blockquote",
  "section",
  "button",
  "noscript",
  "definitions",
  "details",
  "folded",
  "mainPart",
  "frame",
  "weakFrame",
  "comments",
  "ruleRoot",
  "ruleDropped",
] as const;

/** What is counted over a whole page. */
export const pageMeasures = [
  "words",
  "blocks",
  "linkShare",
  "paragraphs",
  "articles",
  "h1",
  "h2",
  "forms",
  "tables",
  "alike",
  "foldedWords",
  "longShare",
  "commentShare",
  "longOutsideComments",
  "firstItemWords",
] as const;

/** What the head of a page and its URL reveal about its kind: 1 or 0 each. */
export const pageSigns = [
  "og:article",
  "og:product",
  "og:website",
  "ld:article",
  "ld:product",
  "ld:forum",
  "ld:list",
  "ld:faq",
  "ld:business",
  "path:forum",
  "path:product",
  "path:docs",
  "path:article",
  "path:category",
  "path:home",
  "generator:forum",
  "generator:docs",
  "generator:shop",
  "published",
] as const;

/** The blocks beside a block, by their distance. */
export const neighbours = [
  { side: "previous", distance: -1 },
  { side: "next", distance: 1 },
  { side: "secondPrevious", distance: -2 },
  { side: "secondNext", distance: 2 },
] as const;
/** The elements above a block that are read, each with more text than the one below. */
export const levels = [0, 1, 2, 3, 4] as const;
/** The innermost and the outermost element around a block that is one of many alike. */
export const itemKinds = ["inner", "outer"] as const;

/** Every prefix with every part: `level0Words`, `level0Links` … */
function each<Prefix extends string, Part extends string>(
  prefixes: readonly Prefix[],
  parts: readonly Part[],
): `${Prefix}${Part}`[] {
  return prefixes.flatMap((prefix) => parts.map((part) => `${prefix}${part}` as const));
}

const textFeatures = [
  "words",
  "chars",
  "linkShare",
  "wordLength",
  "commas",
  "stops",
  "capitals",
  "digits",
  "marks",
  "end",
  "start",
  "links",
  "strong",
  "breaks",
  "ideographs",
  "tag",
  "copies",
] as const;
const matchFeatures = [
  "titleShare",
  "titleCover",
  "description",
  "body",
  "hasBody",
  "text",
  "lowText",
  "images",
] as const;
const placeFeatures = [
  "place",
  "wordPlace",
  "afterTitle",
  "sinceHeading",
  "headingLevel",
  "headingText",
  "wordsLeft",
] as const;
const nearFeatures = ["meanWords", "meanLinks", "longestNear", "runLength"] as const;
const ownerFeatures = ["depth", "ownName", "lowestName", "highestName", "nameSum"] as const;
const articleFeatures = ["weight", "articleShare", "articleDistance", "articlesAround"] as const;
const alikeFeatures = ["alikeShare", "alikeCount", "alikeMean", "alikeLinks"] as const;
const paragraphFeatures = ["direct", "directShare", "toHeaviest", "heaviestPlace", "heaviestShare"] as const;
const verdictFeatures = [
  "ruleKept",
  "headingName",
  "readerKept",
  "readerPlace",
  "readerShare",
  "readerAround",
  "ruleAround",
] as const;

export const featureNames = [
  ...textFeatures,
  ...matchFeatures,
  ...placeFeatures,
  ...nearFeatures,
  ...each(
    neighbours.map(({ side }) => side),
    ["Words", "Links", "Tag", "Name"],
  ),
  ...ownerFeatures,
  ...each(["in:"], flagNames),
  ...each(
    levels.map((level) => `level${level}` as const),
    ["Words", "Links", "Blocks", "Mean", "Share", "Name", "Commas"],
  ),
  ...each(
    itemKinds.map((kind) => `${kind}Item` as const),
    ["Count", "Words", "Links", "Share", "Place", "Blocks"],
  ),
  ...articleFeatures,
  ...alikeFeatures,
  ...paragraphFeatures,
  ...verdictFeatures,
  ...each(["page:"], pageMeasures),
  ...each(["sign:"], pageSigns),
  ...each(["type:"], pageTypes),
] as const;

export type FeatureName = (typeof featureNames)[number];
export type FlagName = (typeof flagNames)[number];
export type PageMeasure = (typeof pageMeasures)[number];
export type PageSign = (typeof pageSigns)[number];
