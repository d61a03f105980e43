// Parts that are hidden at first but belong to the page: a click opens them, or scripts show them after they have run.
import type { Element, ParentNode } from "domhandler";
import { isElement, isText, trimmedLength, walk } from "../../html/index.ts";

/** Elements whose text is never displayed. */
export const unshown = new Set(
  "head title meta link base script style template svg canvas object embed applet param audio video track source iframe frame frameset noframes noembed map datalist progress meter area col colgroup".split(
    " ",
  ),
);

/** A hidden wrapper with less text is a dialog, not the page. */
const longPage = 1500;
/** Decoration is small; counting on would make nested hidden elements cost the square of the page. */
const maxDecorationNodes = 500;

/** Names of parts that a click opens. */
const folding =
  /accordion|collaps|tab-?(?:pane|panel|content|item|body)|faq|answer|expand|disclosure|toggle|(?:show|read|see|view)-?more/i;

/** What scripts show later: streamed parts of a page (React names them so), panels, wrappers of the whole page. */
export function isFolded(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "dialog") return false;
  const id = attribs.id ?? "";
  if (/^S:\w+$/.test(id)) return true;
  const { role } = attribs;
  if (role === "tabpanel" || role === "region") return true;
  if (folding.test(`${attribs.class ?? ""} ${id}`.slice(0, 500))) return true;
  return holdsPage(element);
}

/** Whether it contains the main content: a page that is hidden until its scripts have run. */
function holdsPage(element: Element): boolean {
  let visited = 0;
  let found = false;
  walk(element, (node) => {
    visited += 1;
    if (isElement(node) && (node.name === "main" || node.name === "article" || node.name === "h1")) found = true;
    return found || visited > maxDecorationNodes ? "stop" : true;
  });
  return found && !isShort(element, longPage);
}

/** Whether the text below has at most `limit` characters; stops counting beyond that. */
export function isShort(root: ParentNode, limit: number): boolean {
  let length = 0;
  let visited = 0;
  walk(root, (node) => {
    visited += 1;
    if (isText(node)) length += trimmedLength(node.data);
    else if (unshown.has(node.name)) return false;
    return length > limit || visited > maxDecorationNodes ? "stop" : true;
  });
  return length <= limit && visited <= maxDecorationNodes;
}

/** Characters of text below an element. */
export function textLength(root: ParentNode): number {
  let length = 0;
  walk(root, (node) => {
    if (isText(node)) length += trimmedLength(node.data);
    return !(isElement(node) && unshown.has(node.name));
  });
  return length;
}
