// Whether there is a page beside a consent or age dialog. Most pages only show such a dialog; a block page has nothing else.
import type { Document, Element } from "domhandler";
import { attribute, classOf, isText, trimmedLength, walk } from "../../html/index.ts";
import { dialogNames } from "./phrases.ts";

/** Letters outside of dialogs that make a page: of text, or of text, links and menus. */
const enoughText = 80;
const enoughWords = 250;

/** Classes of these describe the whole page. */
const wholes = new Set(["html", "body", "main"]);
const unread = new Set(["script", "style", "noscript", "template", "svg", "math", "title", "textarea", "head"]);
const linked = new Set(["a", "button", "nav", "footer", "aside", "select", "menu"]);

/** There is a dialog, and a page beside it. */
export function hasPageBesideDialog(root: Document): boolean {
  let hasDialog = false;
  let text = 0;
  let words = 0;
  const count = (node: Document | Element, isLink: boolean): void =>
    walk(node, (each) => {
      if (isText(each)) {
        const letters = trimmedLength(each.data);
        words += letters;
        if (!isLink) text += letters;
        return false;
      }
      if (unread.has(each.name)) return false;
      if (isDialog(each)) {
        hasDialog = true;
        return false;
      }
      if (isLink || !linked.has(each.name)) return true;
      count(each, true);
      return false;
    });
  count(root, false);
  return hasDialog && (text >= enoughText || words >= enoughWords);
}

function isDialog(element: Element): boolean {
  const { name } = element;
  if (name === "dialog") return true;
  if (wholes.has(name)) return false;
  const role = attribute(element, "role");
  if (role === "dialog" || role === "alertdialog" || attribute(element, "aria-modal") === "true") return true;
  return dialogNames.test(attribute(element, "id") ?? "") || dialogNames.test(classOf(element));
}
