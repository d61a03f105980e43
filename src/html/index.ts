export { readReferences } from "./html-references.ts";
export { isThing, readLooseJson, type Thing } from "./loose-json.ts";
export {
  attribute,
  classOf,
  elementAbove,
  elementAfter,
  elementBefore,
  findBelow,
  isAmong,
  isElement,
  isText,
  isTight,
  type JudgedText,
  type NumberedElement,
  noAttributes,
  orderOf,
  shownNodes,
  textOf,
  textSample,
  trimmedLength,
  walk,
  walkElements,
} from "./nodes.ts";
export { embeddedMark, findParts, hiddenMark, nameOfMeta, type PageParts, readMetaValues } from "./page-parts.ts";
export { maxNodes, parseHtml, parseXml, type Tree } from "./parse-page.ts";
export { findAll, findBadSelector } from "./selectors.ts";
