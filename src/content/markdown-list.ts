// Which marker each item of a list has: numbers as a browser counts them.
import type { AnyNode, Element } from "domhandler";
import { attribute, isElement } from "./nodes.ts";

/** A marker has at most nine digits and no sign. */
const maxNumber = 999_999_999;

export function listMarkers(list: Element): Map<AnyNode, string> {
  const items = list.children.filter((child): child is Element => isElement(child) && child.name === "li");
  if (list.name !== "ol") return new Map(items.map((item) => [item, "- "]));
  const isReversed = attribute(list, "reversed") !== undefined;
  let number = wholeNumber(attribute(list, "start")) ?? (isReversed ? items.length : 1);
  const markers = new Map<AnyNode, string>();
  for (const item of items) {
    number = wholeNumber(attribute(item, "value")) ?? number;
    markers.set(item, number >= 0 && number <= maxNumber ? `${number}. ` : "- ");
    number += isReversed ? -1 : 1;
  }
  return markers;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;
}
