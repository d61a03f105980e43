// Formulas -> TeX: from its annotation, from MathJax's scripts, from MathML itself, or as written in the text.
import type { AnyNode, Element, Text } from "domhandler";
import { attribute, classOf, elementAbove, findBelow, isElement, isText, textOf } from "../../html/index.ts";
import { mathMlTex } from "./mathml-tex.ts";

export interface Formula {
  tex: string;
  /** Displayed on its own lines. */
  isBlock: boolean;
}

/** The TeX that a formula was made from, or its MathML as TeX; null when it is empty. */
export function formulaOf(element: Element): Formula | null {
  const isContainer = element.name === "mjx-container";
  const math = isContainer ? findBelow(element, "math") : element;
  const source = math === null ? "" : sourceOf(math);
  const tex = withoutStyle(source || drawnSource(element) || (math === null ? "" : mathMlTex(math)));
  if (tex === "") return null;
  const isBlock = attribute(element, "display") === (isContainer ? "true" : "block");
  return { tex, isBlock: isBlock || isDisplayed(element) };
}

/** KaTeX marks displayed formulas by the class of a wrapper. */
function isDisplayed(math: Element): boolean {
  let around = math.parent;
  for (let level = 0; level < 3 && around && isElement(around); level += 1) {
    if (/(?:^|\s)katex-display(?:\s|$)/.test(classOf(around))) return true;
    around = around.parent;
  }
  return false;
}

function sourceOf(math: Element): string {
  return (annotationOf(math) || attribute(math, "alttext") || "").trim();
}

/** MathJax 4 writes the source of a formula onto what it draws. */
function drawnSource(element: Element): string {
  const written = attribute(element, "data-latex") ?? attribute(element, "data-tex");
  if (written !== undefined) return written.trim();
  for (const child of element.children) {
    const source = isElement(child) ? attribute(child, "data-latex") : undefined;
    if (source !== undefined) return source.trim();
  }
  return "";
}

/** MediaWiki and LaTeXML add to every formula how to typeset it. */
function withoutStyle(tex: string): string {
  const [, braced, bare] =
    /^(?:\{\\(?:display|text)style ([\s\S]*)\}|\\(?:display|text)style\b([\s\S]*))$/.exec(tex) ?? [];
  return (braced ?? bare)?.trim() ?? tex;
}

/** The TeX that a picture was drawn from; empty when the formula itself is beside it; null for other pictures. */
export function pictureTex(image: Element): Formula | null {
  const classes = attribute(image, "class") ?? "";
  const alt = attribute(image, "alt")?.trim();
  if (!alt) return null;
  const isTex = /(?:^|\s)(?:tex|latex|mwe-math-fallback-image-\w+)(?:\s|$)/.test(classes);
  if (!isTex && !/\/\/latex\.codecogs\.com\/|\/latex\.php\?/.test(attribute(image, "src") ?? "")) return null;
  const before = image.prev && isElement(image.prev) ? image.prev : null;
  const formula = before?.name === "math" ? before : before?.children.find(isElement);
  const isBlock = classes.includes("mwe-math-fallback-image-display");
  return { tex: formula?.name === "math" ? "" : withoutStyle(alt), isBlock };
}

function annotationOf(math: Element): string {
  const isTex = (element: Element) =>
    element.name === "annotation" && /tex/i.test(attribute(element, "encoding") ?? "") && textOf(element).trim() !== "";
  const annotation = findBelow(math, isTex);
  return annotation === null ? "" : textOf(annotation).trim();
}

/** True for text that its element calls a formula: Pandoc, Sphinx and MkDocs do so for scripts that may not be on the page. */
export function holdsTex(text: Text): boolean {
  const parent = elementAbove(text);
  return parent !== null && /(?:^|\s)(?:math|arithmatex|tex2jax_process)(?:\s|$)/.test(classOf(parent));
}

/** MathJax 2 keeps the source of each formula in a script of this type. */
export function isTexScript(element: Element): boolean {
  return element.name === "script" && /^math\/tex/i.test(attribute(element, "type") ?? "");
}

/** What MathJax 2 draws beside its script. */
export function isDrawnFormula(element: Element): boolean {
  const { class: classes } = element.attribs;
  if (classes === undefined || !/(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(classes)) return false;
  let next = element.next;
  for (let steps = 0; steps < 8 && next && isBetween(next); steps += 1) next = next.next;
  return next !== null && isElement(next) && isTexScript(next);
}

/** Only spaces and other drawings of a formula may separate its drawing from its source. */
function isBetween(node: AnyNode): boolean {
  if (isText(node)) return node.data.trim() === "";
  return isElement(node) && /(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(classOf(node));
}

export interface TexPiece {
  text: string;
  /** Null: text; otherwise a formula, set apart or in the line. */
  tex: "block" | "inline" | null;
}

const delimited =
  /\\\(([\s\S]{1,2000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]|\$\$([^$]{1,4000}?)\$\$|(\\begin\{(equation|align|gather|eqnarray|multline)\*?\}[\s\S]{1,4000}?\\end\{\5\*?\})|(?<![\\$\w])\$(?=[^\s$])([^$\n]{1,400}?)(?<=[^\s\\])\$(?![\d$])/g;
/** Single dollars also enclose sums of money. */
const looksLikeTex = /[\\^_{}=<>+]|^[a-z]$/i;

/** Text and the formulas that a script of the page would draw in it. */
export function splitTex(text: string): TexPiece[] {
  const pieces: TexPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(delimited)) {
    const [whole, parenthesized, bracketed, dollars, environment, , dollar] = match;
    if (dollar !== undefined && !looksLikeTex.test(dollar)) continue;
    const inline = parenthesized ?? dollar;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), tex: null });
    pieces.push({
      text: (inline ?? bracketed ?? dollars ?? environment ?? "").trim(),
      tex: inline === undefined ? "block" : "inline",
    });
    from = match.index + whole.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), tex: null });
  return pieces;
}
