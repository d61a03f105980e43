// The surroundings of a value: signs that it belongs to another thing, or is no longer current.

import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import { findUp } from "./text-pieces.ts";

const mostSteps = 6;

/** Struck through, or called a former price. */
export function isStruck(element: Element | undefined): boolean {
  const found = findUp(
    element,
    3,
    (place) =>
      /^(?:s|del|strike)$/.test(place.name) ||
      /(?:^|[\s_-])(?:old|was|strike|striked|strikethrough|before|original|regular|list-?price)(?:$|[\s_-])/i.test(
        attribute(place, "class") ?? "",
      ),
  );
  return found !== null;
}

/** Text inside a link describes the linked page. */
export function isInLink(element: Element): boolean {
  return findUp(element, mostSteps, (place) => place.name === "a" && attribute(place, "href") !== undefined) !== null;
}
