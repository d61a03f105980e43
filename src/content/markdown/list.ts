// Markers of list items: numbers as a browser counts them, task boxes.
import type { AnyNode, Element } from "domhandler";
import { attribute, isElement, isText } from "../../html/index.ts";

/** A marker has at most nine digits and no sign. */
const maxNumber = 999_999_999;

/** The number of each item; null for lists without numbers, and where markdown cannot write one. */
export function listNumbers(list: Element): Map<AnyNode, number | null> {
  const items = list.children.filter((child): child is Element => isElement(child) && child.name === "li");
  if (list.name !== "ol") return new Map(items.map((item) => [item, null]));
  const isReversed = attribute(list, "reversed") !== undefined;
  let number = wholeNumber(attribute(list, "start")) ?? (isReversed ? items.length : 1);
  const numbers = new Map<AnyNode, number>();
  for (const item of items) {
    number = wholeNumber(attribute(item, "value")) ?? number;
    if (number < 0 || number > maxNumber) return new Map(items.map((each) => [each, null]));
    numbers.set(item, number);
    number += isReversed ? -1 : 1;
  }
  return numbers;
}

export function markerOf(number: number | null, sign: string): string {
  return number === null ? `${sign} ` : `${number}${sign} `;
}

/** A list whose items are paragraphs has blank lines between them. */
export function isLoose(items: Iterable<AnyNode>, dropped: ReadonlySet<AnyNode>): boolean {
  const shown = [...items].filter((item) => !dropped.has(item));
  return shown.length > 1 && shown.every((item) => holdsParagraph(item as Element, dropped));
}

export function holdsParagraph(item: Element, dropped: ReadonlySet<AnyNode>): boolean {
  return item.children.some((child) => isElement(child) && child.name === "p" && !dropped.has(child));
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;
}

/** The box of a task, or null for other elements. */
export function taskMark(element: Element): string | null {
  const isBox = attribute(element, "type")?.toLowerCase() === "checkbox" || attribute(element, "role") === "checkbox";
  if (!isBox) return null;
  const isDone = attribute(element, "checked") !== undefined || attribute(element, "aria-checked") === "true";
  return isDone ? "[x]" : "[ ]";
}

const wrappers = new Set(["div", "a", "article", "section", "header", "span", "hgroup"]);

/** True when the first thing an element shows is a heading. */
export function startsWithHeading(element: Element, dropped: ReadonlySet<AnyNode>): boolean {
  let inside: Element | null = element;
  while (inside !== null) {
    const first: AnyNode | undefined = inside.children.find(
      (child) => !dropped.has(child) && !(isText(child) && child.data.trim() === ""),
    );
    if (first === undefined || !isElement(first)) return false;
    if (/^h[1-6]$/.test(first.name)) return true;
    inside = wrappers.has(first.name) ? first : null;
  }
  return false;
}
