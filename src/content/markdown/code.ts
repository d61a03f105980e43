// <pre> -> the lines of a fenced block: whitespace kept, line numbers left out, the language from wherever it is said.
import type { AnyNode, Element } from "domhandler";
import {
  attribute,
  classOf,
  elementAbove,
  elementAfter,
  findBelow,
  isElement,
  isText,
  textOf,
  walk,
} from "../../html/index.ts";
import { codeFence } from "./escape.ts";

const lineNumbers =
  /(?:^|[\s_-])(?:lineno|linenos|line-numbers?|linenumbers?|line-numbers-rows|gutter|rouge-gutter|hljs-ln-numbers|crayon-nums?|blob-num)(?:$|[\s_-])|(?:^|\s)(?:ln|lnt|linenr)(?:\s|$)/;
const languageLabel = /^(?:lang|language|language-name|code-lang)$/;
const wrapperLevels = 7;
const blockInCode = new Set(["div", "p", "li", "tr"]);
/** Words in a class that wrap or style code and name no language. */
const notLanguages = new Set(
  "highlight hljs code source line-numbers wrap text none default plaintext plain notranslate nohighlight linenos wrapper override nogutter".split(
    " ",
  ),
);
/** Languages that also look like codes of human ones, which `lang` usually holds. */
const shortLanguages = /^(?:js|ts|py|rb|cs|rs|kt|hs|sh|md|vb|go|.{3,})$/;

export function codeBlock(pre: Element, dropped: ReadonlySet<AnyNode>): string[] {
  if (isInNumberCell(pre)) return [];
  const code = codeText(pre, dropped).replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd();
  if (code.trim() === "") return [];
  const lines = code.split("\n");
  // A column of line numbers next to the code, in a separate block.
  if (lines.length > 1 && lines.every((line, index) => line.trim() === String(index + 1))) return [];
  const fence = codeFence(code);
  return [fence + languageOf(pre), ...lines, fence];
}

function isInNumberCell(pre: Element): boolean {
  let around = pre.parent;
  for (let level = 0; level < 3 && around && isElement(around); level += 1) {
    if (around.name === "td") return lineNumbers.test(classOf(around).toLowerCase());
    around = around.parent;
  }
  return false;
}

function codeText(pre: Element, dropped: ReadonlySet<AnyNode>): string {
  let text = "";
  // Asked of the last piece only: a look at the end of the growing text would copy it each time.
  let isAtLineEnd = true;
  const isLine = holdsBareLines(pre);
  walk(pre, (node) => {
    if (isText(node)) {
      text += node.data;
      if (node.data !== "") isAtLineEnd = node.data.endsWith("\n");
      return true;
    }
    const { name } = node;
    if (dropped.has(node) || name === "button") return false;
    const classes = attribute(node, "class");
    if (classes !== undefined && lineNumbers.test(classes.toLowerCase())) return false;
    if (name === "br" || ((blockInCode.has(name) || (isLine && isLineElement(node))) && !isAtLineEnd)) {
      text += "\n";
      isAtLineEnd = true;
    }
    return true;
  });
  return text;
}

function isLineElement({ attribs }: Element): boolean {
  return /(?:^|\s)(?:line|code-line|token-line|hljs-ln-line|view-line)(?:\s|$)/.test(attribs.class ?? "");
}

/** True when each line is a separate element and nothing else separates them. */
function holdsBareLines(pre: Element): boolean {
  let lines = 0;
  let hasBreak = false;
  walk(pre, (node) => {
    if (isText(node)) hasBreak ||= node.data.trim() === "" && node.data.includes("\n");
    else if (isLineElement(node)) lines += 1;
    return hasBreak ? "stop" : true;
  });
  return lines > 1 && !hasBreak;
}

/** True for code without <pre> that has lines all the same. */
export function isCodeText(code: Element): boolean {
  if (code.name !== "code" || code.children.every(isText)) return false;
  return findBelow(code, "br") !== null || findBelow(code, "pre") !== null;
}

interface Cell {
  element: Element;
}

/** Files that are shown line by line in a table, each with its number beside it; [] for other tables. */
export function codeTable(table: Element, rows: readonly Cell[][], dropped: ReadonlySet<AnyNode>): string[] {
  const [first] = rows[0] ?? [];
  if (!first || !isNumberCell(first) || rows.some((row) => row.length < 2 || !isNumberCell(row[0] as Cell))) return [];
  if (findBelow(table, "pre") !== null) return [];
  const lines = rows.map((row) => codeText((row[row.length - 1] as Cell).element, dropped).replace(/\n+$/, ""));
  const code = lines.join("\n");
  const fence = codeFence(code);
  return code.trim() === "" ? [] : [fence + languageOf(table), ...code.split("\n"), fence];
}

export function isNumberCell({ element }: Cell): boolean {
  const { class: names } = element.attribs;
  return names !== undefined && lineNumbers.test(names.toLowerCase());
}

/** Controls and labels around a code block: a copy button, the name of its language. */
export function isCodeExtra(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "button") {
    const says = textOf(element).trim() || attribute(element, "aria-label") || attribute(element, "title") || "";
    return /^\s*copy\b/i.test(says.slice(0, 30)) || /^copy\b/i.test(attribute(element, "aria-label") ?? "");
  }
  if (attribs.class === undefined || !languageLabel.test(attribs.class)) return false;
  const parent = elementAbove(element);
  if (parent === null || textOf(element).trim().length > 20) return false;
  const next = elementAfter(element);
  return (
    next?.name === "pre" || (next === null || next.name === "button" ? elementAfter(parent)?.name === "pre" : false)
  );
}

/** Looks at the block, at the code in it, and at the wrappers around it: Sphinx has a table between them. */
function languageOf(pre: Element): string {
  const inner = pre.children.find((child) => isElement(child) && child.name === "code");
  const around: (AnyNode | null | undefined)[] = [inner, pre];
  let above: AnyNode | null = pre.parent;
  for (let level = 0; level < wrapperLevels && above; level += 1) {
    around.push(above);
    above = above.parent;
    if (level === 1 && !(above && isElement(above) && /^t(?:d|r|body|able)$/.test(above.name))) break;
  }
  for (const element of around) {
    if (!element || !isElement(element)) continue;
    const language = languageSaid(element) ?? languageOfClass(attribute(element, "class"), element.name);
    if (language) return language;
  }
  return "";
}

const languageAttributes = ["data-lang", "data-language", "data-code-lang", "data-enlighter-language", "lang-name"];

function languageSaid(element: Element): string | null {
  for (const name of languageAttributes) {
    const language = cleanLanguage(attribute(element, name));
    if (language !== null) return language;
  }
  const highlighter = attribute(element, "data-syntaxhighlighter-params");
  if (highlighter !== undefined) return languageOfClass(highlighter, element.name);
  const isCode = element.name === "pre" || element.name === "code";
  const language = isCode ? cleanLanguage(attribute(element, "lang")) : null;
  return language !== null && shortLanguages.test(language) && !/^[a-z]{2}-[a-z]{2}$/.test(language) ? language : null;
}

function languageOfClass(classes: string | undefined, name: string): string | null {
  if (classes === undefined || classes.length > 1000) return null;
  if (name === "figure") return cleanLanguage(/^highlight\s+([\w+#.-]+)$/.exec(classes)?.[1]);
  for (const pattern of [
    /(?:^|\s)(?:language|lang)-([\w+#.-]+)/i,
    /(?:^|\s)highlight-(?:source-|text-)?([\w+#.-]+)/i,
    /(?:^|\s)brush:\s*([\w+#.-]+)/i,
    /(?:^|\s)(?:sourceCode|prettyprint|hljs)\s+(?:lang-)?([\w+#.-]+)/,
    /(?:^|\s)([\w+#-]+)\s+(?:hljs|sourceCode)(?:\s|$)/,
    /(?:^|\s)syntaxhighlighter\s+(?:nogutter\s+)?([\w+#-]+)/,
    /(?:^|\s)src-([\w+#.-]+)/,
  ]) {
    const language = cleanLanguage(pattern.exec(classes)?.[1]);
    if (language) return language;
  }
  return null;
}

function cleanLanguage(word: string | undefined): string | null {
  const language = word?.trim().toLowerCase() ?? "";
  return /^[\w+#.-]{1,30}$/.test(language) && !notLanguages.has(language) ? language : null;
}
