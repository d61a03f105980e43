// Escapes the characters of a text that would be read as markdown, and no others. Every check looks at a bounded neighbourhood.
import type { Text } from "domhandler";
import type { JudgedText } from "../../html/index.ts";

const risky = /[\\`*_\]<&~[]/;
const everyRisky = /[\\`*_\]<&~[]/g;
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;
const entities = /&(?=(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;
const word = /[\p{L}\p{N}]/u;
const longUrl = 300;
const urlStart = /https?:\/\/|www\./i;

const spaces = /[ \t\n\r\f\v\u00a0\u2028\u2029]+/g;
const hasOddSpace = /[\t\n\r\f\v\u00a0\u2028\u2029]| {2}/;
/** Zero-width characters that only tell browsers where to break, or where a file began. */
const invisible = /[\u00ad\u200b\ufeff\u2060]/g;
/** All of the patterns above in one. */
const special = /[\\`*_\]<&~[\t\n\r\f\v\u00a0\u2028\u2029\u00ad\u200b\ufeff\u2060]| {2}/;
const hasInvisible = /[\u00ad\u200b\ufeff\u2060]/;
const uneven = /[\t\n\r\f\v\u00a0\u2028\u2029\u00ad\u200b\ufeff\u2060]| {2}/;

/** True for most texts: nothing in them has to be escaped, collapsed or left out, except at the start of a line. */
export function isPlain(text: string): boolean {
  return !special.test(text);
}

/** The same for a text node, whose data no longer changes: checked once for all outputs. */
export function isPlainText(text: Text): boolean {
  const judged = text as JudgedText;
  judged.isPlain ??= isPlain(judged.data);
  return judged.isPlain;
}

/** Chinese and Japanese have no spaces: a line end of the source between their characters is dropped. */
const unspaced = "\\u3000-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60";
const hasUnspacedBreak = new RegExp(`[${unspaced}][ \\t]*[\\n\\r]`);
const unspacedBreak = new RegExp(`(?<=[${unspaced}])[ \\t]*[\\n\\r]\\s*(?=[${unspaced}])`, "g");

/** Whitespace as a browser shows it: runs become one space. */
export function collapseSpaces(raw: string): string {
  if (!uneven.test(raw)) return raw;
  const visible = hasInvisible.test(raw) ? raw.replace(invisible, "") : raw;
  if (!hasOddSpace.test(visible)) return visible;
  const joined = hasUnspacedBreak.test(visible) ? visible.replace(unspacedBreak, "") : visible;
  return joined.replace(spaces, " ");
}

/** Escapes a text without line breaks. `atLineStart`: at most a prefix precedes it on its line. */
export function escapeText(text: string, atLineStart: boolean, inLink: boolean): string {
  if (!risky.test(text)) return atLineStart ? escapeLineStart(text) : text;
  const hasUrl = !inLink && urlStart.test(text);
  const escaped = text.replace(everyRisky, (char, at: number) =>
    isMarkup(char, at, text, atLineStart, inLink) && !(hasUrl && isInUrl(char, at, text)) ? `\\${char}` : char,
  );
  return atLineStart ? escapeLineStart(escaped) : escaped;
}

function isMarkup(char: string, at: number, text: string, atLineStart: boolean, inLink: boolean): boolean {
  const before = at === 0 ? "" : (text[at - 1] as string);
  const after = text[at + 1] ?? "";
  switch (char) {
    case "`":
      return true;
    case "\\":
      return after === "" || /[!-/:-@[-`{-~]/.test(after);
    case "*":
      return !(after === " " && (before === " " || (before === "" && !atLineStart)));
    case "_":
      return !(word.test(before) && word.test(after)) && !(before === " " && after === " ");
    case "[":
      return inLink || after === "^" || (atLineStart && at === 0 && /^\[[ xX]\]/.test(text));
    case "]":
      return inLink || after === "(" || (after === ":" && atLineStart);
    case "<":
      return after === "" || /[a-z/!?]/i.test(after);
    case "&":
      entity.lastIndex = at;
      return entity.test(text);
    default:
      return before === "~" || after === "~" || (!/^\s?$/.test(before) && text.lastIndexOf("~", at - 1) !== -1);
  }
}

/** Bare URLs in a text are links, to GitHub and to readers who copy them. */
function isInUrl(char: string, at: number, text: string): boolean {
  if (char !== "*" && char !== "_" && char !== "~") return false;
  const near = text.slice(Math.max(0, at - longUrl), at);
  return /^[^\p{L}]?(?:https?:\/\/|www\.)[^<>]+$/iu.test(near.slice(near.lastIndexOf(" ") + 1));
}

/** Escapes what would make a heading, a list, a quote or a table of a line. */
export function escapeLineStart(text: string): string {
  switch (text[0]) {
    case "#":
      return /^#{1,6}(?: |$)/.test(text) ? `\\${text}` : text;
    case ">":
      return `\\${text}`;
    case "-":
    case "+":
      return /^(?:[-+](?: |$)|-[-|: ]*$)/.test(text) ? `\\${text}` : text;
    case "|":
    case ":":
      return /^[-|: ]+$/.test(text) && text.includes("-") ? `\\${text}` : text;
    case "=":
      return /^=+ *$/.test(text) ? `\\${text}` : text;
    default:
      return /^\d{1,9}[.)](?: |$)/.test(text) ? text.replace(/[.)]/, "\\$&") : text;
  }
}

/**
 * Code between backticks: one more than the longest run inside, and a space where a backtick touches the edge, or a space at both
 * edges would be taken for such.
 */
export function inlineCode(code: string): string {
  const fence = "`".repeat(longestRun(code) + 1);
  const pad = /^`|`$|^ .* $/.test(code) ? " " : "";
  return fence + pad + code + pad + fence;
}

/** The fence of a code block: longer than any run of backticks in it. */
export function codeFence(code: string): string {
  return "`".repeat(Math.max(3, longestRun(code) + 1));
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf("`"); at !== -1 && at < text.length; at += 1) {
    run = text.charCodeAt(at) === 96 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** A URL between the parentheses of a link: balanced parentheses may stay, others would end it early. */
export function linkTarget(url: string): string {
  if (!/[\s<>()\\&]/.test(url)) return url;
  const clean = url.replace(/[\s<>\\]/g, (char) => encodeURIComponent(char)).replace(entities, "\\$&");
  let depth = 0;
  for (const char of clean) {
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? clean : clean.replace(/\(/g, "%28").replace(/\)/g, "%29");
}

/** The part after a URL, with its leading space, or nothing. */
export function linkTitle(title: string | undefined): string {
  const text = title?.replace(/\s+/g, " ").trim() ?? "";
  return text === "" ? "" : ` "${text.replace(/["\\]/g, "\\$&").replace(entities, "\\$&")}"`;
}
