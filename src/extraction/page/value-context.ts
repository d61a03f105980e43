// What surrounds a value: signs that it belongs to another thing, or is no longer current.

import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import { parentOf } from "./text-pieces.ts";

const mostSteps = 6;

/** Struck through, or called a former price. */
export function isStruck(element: Element | undefined): boolean {
  return isWithin(
    element,
    3,
    (place) =>
      /^(?:s|del|strike)$/.test(place.name) ||
      /(?:^|[\s_-])(?:old|was|strike|striked|strikethrough|before|original|regular|list-?price)(?:$|[\s_-])/i.test(
        attribute(place, "class") ?? "",
      ),
  );
}

/** What is inside of a link tells of the page behind it. */
export function isInLink(element: Element): boolean {
  return isWithin(element, mostSteps, (place) => place.name === "a" && attribute(place, "href") !== undefined);
}

function isWithin(element: Element | undefined, most: number, is: (place: Element) => boolean): boolean {
  for (
    let place: Element | null = element ?? null, steps = 0;
    place && steps < most;
    place = parentOf(place), steps += 1
  ) {
    if (is(place)) return true;
  }
  return false;
}
