// Selectors of style sheets: css-what parses them and css-select matches them. Every page pays for it and sheets may be hostile, so each
// node that is looked at is charged to a budget, and most rules are skipped by the names that their selectors need.
import { compile } from "css-select";
import { isTraversal, parse, type Selector as Token } from "css-what";
import { type AnyNode, type Element, hasChildren } from "domhandler";
import { attribute, elementBefore, isElement, isText } from "../../html/index.ts";

/** What matching on one page may still cost, in nodes. */
export interface MatchBudget {
  left: number;
}

/** What a selector says before it is compiled: most never match an element of the page. */
interface Summary {
  /** Ids, classes or the type of the last compound, by which its rule is looked up. */
  keys: string[];
  /** All ids and classes that it needs. */
  names: string[];
  /** Ids, classes and types that ancestors of the element must have. */
  above: string[];
  /** Types count 1, classes 1,000, ids 1,000,000. */
  specificity: number;
}

export interface Selector extends Summary {
  matches(element: Element): boolean;
}

/** Null when it is not understood, and for pseudo-elements, which have no text of the page. */
export type ReadSelector = (text: string) => Selector | null;

const maxTokens = 60;
const maxDepth = 6;
const ofClass = 1000;
const ofId = 1_000_000;
/** Nodes that are passed over in a list of siblings for the price of one. */
const siblingsPerCharge = 16;

class BudgetSpent extends Error {}

/** They hold only while something is pointed at, opened, chosen or filled in: not now. */
const states = (
  "hover active focus focus-within focus-visible target target-within visited valid invalid user-valid user-invalid " +
  "indeterminate popover-open modal fullscreen playing paused autofill -webkit-autofill placeholder-shown in-range " +
  "out-of-range default current past future"
).split(" ");
/** Of the others only those of browsers: css-select also knows those of jQuery. */
const known = new Set([
  ...states,
  ..."root scope defined empty link any-link open checked disabled enabled required optional lang".split(" "),
  ..."dir read-only read-write first-child last-child only-child first-of-type last-of-type only-of-type".split(" "),
  ..."nth-child nth-last-child nth-of-type nth-last-of-type is matches where not has".split(" "),
]);

const pseudos = {
  ...Object.fromEntries(states.map((state) => [state, () => false])),
  root: ({ name }: Element) => name === "html",
  // As browsers have it: a space is content.
  empty: ({ children }: Element) => children.every((child) => isText(child) && child.data === ""),
  defined: () => true,
  dir: (element: Element, wanted?: string | null) => directionOf(element) === wanted?.trim().toLowerCase(),
  "read-write": (element: Element) => isWritable(element),
  "read-only": (element: Element) => !isWritable(element),
  open: ({ attribs }: Element) => attribs["open"] !== undefined,
};

function directionOf(element: Element): string {
  for (let around: AnyNode | null = element; around && isElement(around); around = around.parent) {
    const written = attribute(around, "dir")?.toLowerCase();
    if (written === "rtl" || written === "ltr") return written;
  }
  return "ltr";
}

function isWritable({ name, attribs }: Element): boolean {
  const isField =
    name === "textarea" ||
    (name === "input" &&
      !/^(?:hidden|range|color|checkbox|radio|file|submit|image|reset|button)$/.test(attribs["type"] ?? ""));
  return isField
    ? attribs["readonly"] === undefined && attribs["disabled"] === undefined
    : attribs["contenteditable"] !== undefined;
}

/** Selectors share a budget: those of one page. */
export function createSelectorReader(budget: MatchBudget): ReadSelector {
  const charge = (nodes: number) => {
    budget.left -= nodes;
    if (budget.left <= 0) throw new BudgetSpent();
  };
  const childrenOf = (node: AnyNode | null): AnyNode[] => {
    const children = node && hasChildren(node) ? node.children : [];
    charge(1 + children.length / siblingsPerCharge);
    return children;
  };
  const adapter = {
    isTag: isElement,
    getName: ({ name }: Element) => name,
    getAttributeValue: attribute,
    hasAttrib: (element: Element, name: string) => attribute(element, name) !== undefined,
    getChildren: childrenOf,
    getSiblings: ({ parent }: AnyNode) => childrenOf(parent),
    getParent: ({ parent }: Element) => {
      charge(1);
      return parent;
    },
    prevElementSibling: (node: AnyNode) => {
      charge(1);
      return elementBefore(node);
    },
    // Only pseudo-classes of jQuery ask for it.
    getText: () => "",
    removeSubsets: (nodes: AnyNode[]) => nodes,
  };
  const options = { adapter, pseudos, cacheResults: false };

  return (text) => {
    const { tokens, summary } = read(text) ?? {};
    if (!tokens || !summary) return null;
    let query: ((element: Element) => boolean) | null = null;
    return {
      ...summary,
      matches(element) {
        try {
          charge(1);
          query ??= compile<AnyNode, Element>([tokens], options);
          return query(element);
        } catch (error) {
          // A formula that cannot be read is found out here.
          if (!(error instanceof BudgetSpent)) query = () => false;
          return false;
        }
      },
    };
  };
}

function read(text: string): { tokens: Token[]; summary: Summary | null } | null {
  try {
    const [tokens, ...others] = parse(text.replace(/:-webkit-any\(/gi, ":is("));
    return tokens === undefined || others.length > 0 ? null : { tokens, summary: summaryOf(tokens, 0, false) };
  } catch {
    return null;
  }
}

/** Leaves alternatives that are not understood out of the tokens. Null when the selector cannot be used. */
function summaryOf(tokens: Token[], depth: number, isRelative: boolean): Summary | null {
  const [first] = tokens;
  if (depth > maxDepth || tokens.length > maxTokens || !first || (isTraversal(first) && !isRelative)) return null;
  const found: Summary = { keys: [], names: [], above: [], specificity: 0 };
  let own: string[] = [];
  let type = "";
  let choices: string[] = [];
  for (const token of tokens) {
    if (isTraversal(token)) {
      if (token.type === "descendant" || token.type === "child")
        found.above.push(...own, ...(type === "" ? [] : [type]));
      else if (token.type !== "adjacent" && token.type !== "sibling") return null;
      [own, type, choices] = [[], "", []];
    } else if (token.type === "attribute" && token.ignoreCase === "quirks") {
      own.push(`${token.name === "id" ? "#" : "."}${token.value}`);
      found.names.push(...own.slice(-1));
      found.specificity += token.name === "id" ? ofId : ofClass;
    } else if (token.type === "attribute" && token.action !== "not") found.specificity += ofClass;
    else if (token.type === "tag") {
      type = token.name.toLowerCase();
      found.specificity += 1;
    } else if (token.type === "pseudo") {
      const inner = summaryOfPseudo(token, depth);
      if (inner === null) return null;
      found.specificity += inner.specificity;
      if (choices.length === 0) choices = inner.keys;
    } else if (token.type !== "universal") return null;
  }
  found.keys = own.length > 0 ? own : type !== "" ? [type] : choices.length > 0 ? [...new Set(choices)] : ["*"];
  return found;
}

function summaryOfPseudo(
  token: Extract<Token, { type: "pseudo" }>,
  depth: number,
): Pick<Summary, "keys" | "specificity"> | null {
  const { name, data } = token;
  if (!known.has(name)) return null;
  if (!Array.isArray(data)) {
    const list = /\sof\s+(.+)$/is.exec(data ?? "")?.[1];
    const counted = list === undefined ? [] : parse(list).map((each) => summaryOf(each, depth + 1, false));
    return { keys: [], specificity: ofClass + mostOf(counted) };
  }
  const lists = data.map((each) => summaryOf(each, depth + 1, name === "has"));
  if (name === "not" && lists.includes(null)) return null;
  token.data = data.filter((_, place) => lists[place] !== null);
  const isChoice = name === "is" || name === "matches" || name === "where";
  const keys = isChoice ? lists.flatMap((each) => each?.keys ?? []) : [];
  return { keys, specificity: name === "where" ? 0 : mostOf(lists) };
}

function mostOf(all: readonly (Summary | null)[]): number {
  return Math.max(0, ...all.map((each) => each?.specificity ?? 0));
}

const longClasses = 2000;
const noClasses: readonly string[] = [];
/** The same lists come again and again, on one page and on the next. */
const lists = new Map<string, readonly string[]>();
const maxLists = 5000;

export function classesOf(written: string): readonly string[] {
  if (written.length > longClasses) return noClasses;
  const earlier = lists.get(written);
  if (earlier) return earlier;
  const list = [...new Set(written.split(/\s+/))].filter((name) => name !== "");
  if (lists.size >= maxLists) lists.clear();
  lists.set(written, list);
  return list;
}
