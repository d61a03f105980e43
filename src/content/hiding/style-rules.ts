// Style sheets -> their rules, those in media queries that hold for a screen among them. Bounded in length and number.
import { splitOutside } from "./declarations.ts";

export interface WrittenRule {
  selectors: string;
  body: string;
  /** Holds in a window of another width: it shows what belongs to the page. */
  isElsewhere: boolean;
}

/** Of all sheets of a page together. */
const maxLength = 400_000;
const maxRules = 8000;
const maxDepth = 5;
const longestPrelude = 4000;
/** The window that media queries are asked about. */
const width = 1280;

export function readRules(sheets: readonly string[]): WrittenRule[] {
  const rules: WrittenRule[] = [];
  let left = maxLength;
  for (const sheet of sheets) {
    if (left <= 0 || rules.length >= maxRules) break;
    const text = withoutComments(sheet.slice(0, left));
    left -= sheet.length;
    addRules({ text, rules }, 0, text.length, 0, false);
  }
  return rules;
}

function withoutComments(text: string): string {
  let at = text.indexOf("/*");
  if (at === -1) return text;
  let kept = "";
  let from = 0;
  while (at !== -1) {
    kept += text.slice(from, at);
    const end = text.indexOf("*/", at + 2);
    if (end === -1) return kept;
    from = end + 2;
    at = text.indexOf("/*", from);
  }
  return kept + text.slice(from);
}

interface Sheet {
  text: string;
  rules: WrittenRule[];
}

function addRules(sheet: Sheet, start: number, end: number, depth: number, isElsewhere: boolean): void {
  const { text, rules } = sheet;
  let at = start;
  while (at < end && rules.length < maxRules) {
    const open = text.indexOf("{", at);
    if (open === -1 || open >= end) return;
    // Statements like @import end before the rule begins.
    const written = text.slice(at, open);
    const prelude = written.slice(written.lastIndexOf(";") + 1).trim();
    const close = closingOf(text, open, end);
    if (prelude.startsWith("@")) {
      const when = depth < maxDepth ? whenOf(prelude) : "never";
      if (when !== "never") addRules(sheet, open + 1, close, depth + 1, isElsewhere || when === "elsewhere");
    } else if (prelude !== "" && prelude.length <= longestPrelude) {
      rules.push({ selectors: prelude, body: text.slice(open + 1, close), isElsewhere });
    }
    at = close + 1;
  }
}

/** Where the block that opens at a place ends. */
function closingOf(text: string, open: number, end: number): number {
  let depth = 0;
  let quote = "";
  for (let at = open; at < end; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (quote !== "") {
      // Strings do not go over the end of a line.
      if (character === quote || character === "\n") quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return end;
}

/** Whether the rules in a block hold here, in another window, or never where a person looks at the page. */
type When = "here" | "elsewhere" | "never";

function whenOf(prelude: string): When {
  const [name = ""] = /^@[\w-]+/.exec(prelude) ?? [];
  if (name === "@layer" || name === "@supports") return "here";
  return name === "@media" ? whenOfMedia(prelude.slice(name.length)) : "never";
}

/** A list of media queries: types and widths are understood, everything else does not hold. */
export function whenOfMedia(queries: string): When {
  if (queries.trim() === "") return "here";
  const each = splitOutside(queries.toLowerCase(), ",", 20).map(whenOfQuery);
  return each.includes("here") ? "here" : each.includes("elsewhere") ? "elsewhere" : "never";
}

function whenOfQuery(query: string): When {
  let when: When = "here";
  for (const part of query.split(/\band\b/)) {
    const asked = part.trim().replace(/^only\s+/, "");
    if (asked === "screen" || asked === "all") continue;
    const [, side, digits, unit] = /^\(\s*(min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)$/.exec(asked) ?? [];
    if (side === undefined) return "never";
    const pixels = Number(digits) * (unit === "px" ? 1 : 16);
    if (side === "min" ? width < pixels : width > pixels) when = "elsewhere";
  }
  return when;
}
