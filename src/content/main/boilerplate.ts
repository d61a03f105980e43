// What tags, roles and class names reveal about an element: whether it frames the page or is its subject.
import type { Element } from "domhandler";
import { attribute, noAttributes } from "../../html/index.ts";
import words from "./boilerplate-words.json" with { type: "json" };

/** `weak`: main parts have such names too; the element is a frame only if it also looks like one. */
export type Framing = "frame" | "weak" | "comments" | "none";

const setOf = (list: string) => new Set(list.split(" "));
const frameTags = setOf(words.frameTags);
const frameRoles = setOf(words.frameRoles);
const frameSet = setOf(words.frameWords);
const weakSet = setOf(words.weakWords);
const commentSet = setOf(words.commentWords);
/** Tags that never frame a page, whatever they are called. */
export const neverFrame = setOf(words.neverFrame);
/** Pairs of words that mean a frame only together: `read-more`, `site-header`. */
const framePairs =
  /(?:^|[\s_-])(?:site|page|global|main|top|sticky|mobile)[_-](?:header|head|nav|menu|bar|search)(?:$|[\s_-])|(?:read|see|view|load|show)[_-]?more|(?:also|you)[_-](?:like|may)|(?:most|more)[_-](?:read|popular|from|stories|posts|articles|news|in|on)|(?:next|prev|previous)[_-](?:post|article|page|story|up)|(?:sr|screen[_-]reader)[_-](?:only|text)|back[_-]to[_-]top|skip[_-](?:to|link|nav)|call[_-]to[_-]action|(?:^|[\s_-])cta(?:$|[\s_-])|side[_-]?(?:bar|nav|col)|author[_-](?:bio|box|info|card)|table[_-]of[_-]contents|sign[_-](?:up|in)|log[_-]in|follow[_-]us|(?:e-?mail|news)[_-]?letter/;

/**
 * What an element is on its own terms. Whether it is small enough to be left out is for the caller to decide. Class names are read once
 * per page, because most elements repeat them.
 */
export function createFraming(): (element: Element) => Framing {
  const known = new Map<string, Framing>();
  const ofNames = (names: string): Framing => {
    let framing = known.get(names);
    if (framing === undefined) {
      framing = judge(names);
      known.set(names, framing);
    }
    return framing;
  };
  return (element) => {
    if (frameTags.has(element.name)) return "frame";
    if (element.attribs === noAttributes) return "none";
    const role = attribute(element, "role");
    if (role !== undefined && frameRoles.has(role)) return "frame";
    const { class: classes, id } = element.attribs;
    return classes === undefined && id === undefined ? "none" : ofNames(`${classes ?? ""} ${id ?? ""}`);
  };
}

function judge(names: string): Framing {
  if (names.length > 500) return "none";
  const parted = names.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  const words = parted.split(/[^a-z]+/);
  if (words.some((word) => commentSet.has(word))) return "comments";
  if (words.some((word) => frameSet.has(word)) || framePairs.test(parted)) return "frame";
  return words.some((word) => weakSet.has(word)) ? "weak" : "none";
}
