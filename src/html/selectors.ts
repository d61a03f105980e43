// CSS selectors that callers send: compiled once, refused with a reason when they cannot be used.
import { compile, selectAll } from "css-select";
import type { AnyNode, Element } from "domhandler";

/** A selector of this length already says more than any page needs; longer ones only cost. */
const maxLength = 1024;
/** Compiling nested functions multiplies, and no page needs more. */
const maxNesting = 4;
const maxPseudoClasses = 16;
/** Each `:has` looks at all descendants of each candidate, so nested ones multiply. */
const maxHas = 2;

export interface BadSelector {
  /** Place in the list that was given. */
  index: number;
  selector: string;
  /** A sentence for the caller. */
  message: string;
}

/** The first selector that cannot be used, or null. */
export function findBadSelector(selectors: readonly string[]): BadSelector | null {
  for (const [index, selector] of selectors.entries()) {
    const message = problemOf(selector);
    if (message !== null) return { index, selector, message };
  }
  return null;
}

/** Open parentheses at most, strings and escapes not told apart: a bound needs no exactness. */
function nestingOf(selector: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of selector) {
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Elements that match, in document order. A selector that cannot be used matches nothing. */
export function findAll(selector: string, root: AnyNode): Element[] {
  if (problemOf(selector) !== null) return [];
  return selectAll<AnyNode, Element>(selector, root);
}

function problemOf(selector: string): string | null {
  if (selector.trim() === "") return "The selector is empty";
  if (selector.length > maxLength) return `The selector is longer than ${maxLength} characters`;
  if (nestingOf(selector) > maxNesting) return `The selector is nested deeper than ${maxNesting} levels`;
  if (selector.split(":").length - 1 > maxPseudoClasses)
    return `The selector uses more than ${maxPseudoClasses} pseudo-classes`;
  if (selector.split(/:has\(/i).length - 1 > maxHas) return `The selector uses :has more than ${maxHas} times`;
  // css-select drops a combinator at the end and matches what precedes it.
  if (/[>+~,]\s*$/.test(selector)) return "Not a CSS selector: it ends with a combinator";
  try {
    compile<AnyNode, Element>(selector);
    return null;
  } catch (error) {
    return `Not a CSS selector: ${error instanceof Error ? error.message : String(error)}`;
  }
}
