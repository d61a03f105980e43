// Whether the rules of a conditional group apply: in the window that a person is assumed to have, in another one, or never.
import tables from "./css-tables.json" with { type: "json" };
import { displays, splitOutside } from "./declarations.ts";
import { isKnownSelector } from "./known-selectors.ts";

/** "elsewhere": in a window of another width. */
export type When = "here" | "elsewhere" | "never";

const lengths: Record<string, number> = { ...tables.windowLengths, "container-width": 0 };
const words: Readonly<Record<string, string>> = tables.windowWords;
const unitPixels: Readonly<Record<string, number>> = tables.conditionPixels;
const maxQueries = 20;
const maxDepth = 5;

/** Whether a block of rules applies, by its prelude. */
export function whenOf(prelude: string): When {
  const [name = ""] = /^@[\w-]+/.exec(prelude) ?? [];
  const condition = prelude.slice(name.length).trim().toLowerCase();
  switch (name.toLowerCase()) {
    case "@layer":
      return "here";
    case "@scope":
      return condition.startsWith("(") ? "here" : "never";
    case "@supports":
      return holds(condition, isSupported, 0) === false ? "never" : "here";
    case "@media":
      return whenOfMedia(condition);
    case "@container":
      // It holds or not for each element.
      return "here";
    default:
      return "never";
  }
}

/** A list of media queries. */
export function whenOfMedia(queries: string): When {
  if (queries.trim() === "") return "here";
  const each = splitOutside(queries.toLowerCase(), ",", maxQueries).map(whenOfQuery);
  return each.includes("here") ? "here" : each.includes("elsewhere") ? "elsewhere" : "never";
}

function whenOfQuery(query: string): When {
  const [, isNot, type, condition = ""] =
    /^\s*(?:(not)\s+|only\s+)?(all|screen|print|speech|tty|tv|projection|handheld|braille|embossed|aural)\b(?:\s+and\b)?(.*)$/s.exec(
      query,
    ) ?? [];
  if (type === undefined) return whenOfAnswer(holds(query, isFeature, 0), query);
  const isShown = type === "all" || type === "screen";
  const rest = condition.trim() === "" ? true : holds(condition, isFeature, 0);
  if (isNot) return whenOfAnswer(rest === null ? null : !(isShown && rest), condition);
  return isShown ? whenOfAnswer(rest, condition) : "never";
}

/** Only for other widths pages have texts that take each other's place. */
const otherThanWidth = /(?!(?:min|max)?-?width\b|inline-size\b|only\b|screen\b|all\b|and\b|or\b|not\b)\b[a-z][a-z-]+/;

function whenOfAnswer(answer: Answer, condition: string): When {
  if (answer === true) return "here";
  return answer === null || otherThanWidth.test(condition.replace(/[\d.]+(?:px|r?em)/g, "")) ? "never" : "elsewhere";
}

/** Whether the query of a container of this width holds. */
export function holdsInContainer(query: string, width: number): boolean {
  const asked = query.replace(/\b(?:(min|max)-)?(?:width|inline-size)\b/g, (_all, side?: string) =>
    side ? `${side}-container-width` : "container-width",
  );
  lengths["container-width"] = width;
  return holds(asked, isFeature, 0) === true;
}

/** Null when it is not understood. */
type Answer = boolean | null;

/** A condition of parts in brackets, joined by `and` or `or`. */
function holds(condition: string, ask: (part: string) => Answer, depth: number): Answer {
  const text = condition.trim();
  if (depth > maxDepth) return null;
  const [, negated] = /^not\b\s*(.*)$/s.exec(text) ?? [];
  if (negated !== undefined) {
    const answer = holds(negated, ask, depth + 1);
    return answer === null ? null : !answer;
  }
  for (const [word, decides] of [
    [" or ", true],
    [" and ", false],
  ] as const) {
    const parts = splitWords(text, word);
    if (parts.length < 2) continue;
    const answers = parts.map((part) => holds(part, ask, depth + 1));
    return answers.includes(decides) ? decides : answers.includes(null) ? null : !decides;
  }
  if (!text.startsWith("(") || !text.endsWith(")")) return ask(text);
  const inside = text.slice(1, -1).trim();
  return /^(?:\(|not\b)/.test(inside) ? holds(inside, ask, depth + 1) : ask(inside);
}

function splitWords(text: string, word: string): string[] {
  const spaced = text.replace(/\)\s*(and|or)\b\s*/g, ") $1 ");
  if (!spaced.includes(word)) return [text];
  return splitOutside(
    spaced.replaceAll(word, (each, at: number) => (isOutside(spaced, at) ? "\0" : each)),
    "\0",
    maxQueries,
  );
}

function isOutside(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return before.split("(").length === before.split(")").length;
}

/** A declaration or a selector that browsers know. */
function isSupported(part: string): Answer {
  const [, selector] = /^selector\s*\((.*)\)$/.exec(part) ?? [];
  if (selector !== undefined) return isKnownSelector(selector);
  if (/^font-(?:tech|format)\s*\(/.test(part)) return true;
  const [, name = "", value = ""] = /^([\w-]+)\s*:\s*(.*)$/s.exec(part) ?? [];
  if (name.startsWith("--")) return true;
  if (!propertyNames.test(name) || /^-(?:ms|moz|o)-/.test(value)) return false;
  return name !== "display" || displays.test(value.replace(/\s*!important$/, ""));
}

/** How names of properties begin that browsers know, those of Chromium among them. */
const propertyNames =
  /^(?:-webkit-(?:align|animation|appearance|backdrop|backface|background|border|box|clip|column|filter|flex|font|hyphen|justify|line|margin|mask|opacity|order|overflow|padding|perspective|tap|text|transform|transition|user|print|locale|rtl)[\w-]*|(?:accent|align|all|alignment|anchor|animation|appearance|aspect|backdrop|backface|background|baseline|block|border|bottom|box|break|caption|caret|clear|clip|color|column|columns|contain|container|content|counter|cursor|direction|display|dominant|empty|field|fill|filter|flex|float|flood|font|forced|gap|grid|hanging|height|hyphenate|hyphens|image|initial|inline|inset|interactivity|interpolate|isolation|justify|left|letter|lighting|line|list|margin|marker|mask|math|max|min|mix|object|offset|opacity|order|orphans|outline|overflow|overlay|overscroll|padding|page|paint|perspective|place|pointer|position|print|quotes|resize|right|rotate|row|ruby|scale|scroll|scrollbar|shape|speak|stop|stroke|tab|table|text|timeline|top|touch|transform|transition|translate|unicode|user|vector|vertical|view|visibility|white|widows|width|will|word|writing|z|zoom)(?:-[\w-]+)?)$/;

/** `min-width: 10px`, `width >= 10px`, `10px < width < 20px`, `orientation: landscape`, `color`. */
function isFeature(part: string): Answer {
  const [, side, name = "", value] =
    /^(?:(min|max)-)?([a-z-]+)(?:\s*:\s*([^<>=:]+))?$/.exec(part.replace(/^-webkit-(min|max)-/, "$1--webkit-")) ?? [];
  if (name !== "")
    return value === undefined
      ? hasFeature(name)
      : compare(name, side === "min" ? ">=" : side === "max" ? "<=" : "=", value);
  const [, low, lowSign, middle = "", highSign, high] =
    /^([^<>=]+?)\s*([<>]=?|=)\s*([^<>=]+?)(?:\s*([<>]=?)\s*([^<>=]+))?$/.exec(part) ?? [];
  if (low === undefined || lowSign === undefined) return null;
  if (Object.hasOwn(lengths, low)) return compare(low, lowSign, middle);
  const first = compare(middle, mirrored[lowSign] ?? "=", low);
  return high === undefined || highSign === undefined || first !== true ? first : compare(middle, highSign, high);
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function hasFeature(name: string): Answer {
  if (Object.hasOwn(lengths, name)) return lengths[name] !== 0;
  return Object.hasOwn(words, name) ? !/^(?:forced|inverted|prefers-(?:reduced|contrast))/.test(name) : null;
}

function compare(name: string, sign: string, value: string): Answer {
  if (Object.hasOwn(words, name)) return sign === "=" ? words[name] === value.trim() : null;
  const own = Object.hasOwn(lengths, name) ? lengths[name] : undefined;
  const wanted = numberOf(value);
  if (own === undefined || wanted === null) return null;
  if (sign.startsWith(">")) return sign === ">" ? own > wanted : own >= wanted;
  if (sign.startsWith("<")) return sign === "<" ? own < wanted : own <= wanted;
  return own === wanted;
}

function numberOf(value: string): number | null {
  const [, digits, unit = ""] = /^([+-]?[\d.]+)\s*([a-z]*)$/.exec(value.trim()) ?? [];
  const [, above, below] = /^([\d.]+)\s*\/\s*([\d.]+)$/.exec(value.trim()) ?? [];
  if (above !== undefined) return Number(above) / Number(below);
  const factor = unit === "" ? 1 : unitPixels[unit];
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}
