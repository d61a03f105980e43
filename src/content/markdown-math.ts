// Formulas -> TeX: from its annotation, from MathJax's scripts, from MathML itself, or as it stands in the text.
import type { Element } from "domhandler";
import { attribute, isElement, isText, textOf, walk } from "./nodes.ts";

/** The TeX a formula was made from, or what its MathML says in TeX. */
export function texOf(math: Element): string {
  return withoutStyle(annotationOf(math) || fromMathMl(math).replace(/\s+/g, " ").trim());
}

/** MediaWiki says of every formula how it is to be set. */
function withoutStyle(tex: string): string {
  return /^\{\\(?:display|text)style ([\s\S]*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

/** The TeX that a picture was drawn from; "" when the formula itself stands beside it; null when it is no formula. */
export function pictureTex(image: Element): string | null {
  const classes = attribute(image, "class");
  const alt = attribute(image, "alt")?.trim();
  if (classes === undefined || !alt || !/(?:^|\s)(?:tex|latex|mwe-math-fallback-image-\w+)(?:\s|$)/.test(classes))
    return null;
  const before = image.prev && isElement(image.prev) ? image.prev : null;
  const formula = before?.name === "math" ? before : before?.children.find(isElement);
  return formula?.name === "math" ? "" : withoutStyle(alt);
}

function annotationOf(math: Element): string {
  let tex = "";
  walk(math, (node) => {
    if (isElement(node) && node.name === "annotation" && /tex/i.test(attribute(node, "encoding") ?? "")) {
      tex = textOf(node).trim();
    }
    return tex === "" || "stop";
  });
  return tex;
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
  while (next && (isText(next) ? next.data.trim() === "" : isElement(next) && isDrawnName(next))) next = next.next;
  return next !== null && isElement(next) && isTexScript(next);
}

function isDrawnName(element: Element): boolean {
  return /(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(element.attribs.class ?? "");
}

const operators: Record<string, string> = {
  "×": "\\times ",
  "⋅": "\\cdot ",
  "·": "\\cdot ",
  "≤": "\\le ",
  "≥": "\\ge ",
  "≠": "\\ne ",
  "∑": "\\sum ",
  "∏": "\\prod ",
  "∫": "\\int ",
  "∞": "\\infty ",
  "→": "\\to ",
  "∈": "\\in ",
  "−": "-",
  "⁡": "",
  "⁢": "",
};

function fromMathMl(element: Element): string {
  const parts = element.children.filter(isElement);
  const part = (at: number) => (parts[at] ? fromMathMl(parts[at]) : "");
  const group = (at: number) => `{${part(at).trim()}}`;
  switch (element.name) {
    case "mi":
    case "mn":
    case "mo": {
      const text = textOf(element).trim();
      return operators[text] ?? text;
    }
    case "mtext":
    case "ms":
      return `\\text{${textOf(element)}}`;
    case "mfrac":
      return `\\frac${group(0)}${group(1)}`;
    case "msqrt":
      return `\\sqrt{${parts.map(fromMathMl).join("")}}`;
    case "mroot":
      return `\\sqrt[${part(1)}]${group(0)}`;
    case "msup":
    case "mover":
      return `${part(0)}^${group(1)}`;
    case "msub":
    case "munder":
      return `${part(0)}_${group(1)}`;
    case "msubsup":
    case "munderover":
      return `${part(0)}_${group(1)}^${group(2)}`;
    case "mtr":
      return `${parts.map(fromMathMl).join(" & ")} \\\\ `;
    case "annotation":
    case "annotation-xml":
      return "";
    default:
      return parts.length > 0 ? parts.map(fromMathMl).join("") : textOf(element).trim();
  }
}

export interface TexPiece {
  text: string;
  /** Null: text; otherwise a formula, set apart or in the line. */
  tex: "block" | "inline" | null;
}

const delimited = /\\\(([\s\S]{1,2000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]|\$\$([^$]{1,4000}?)\$\$/g;

/** Text and the formulas that a script of the page would draw in it. */
export function splitTex(text: string): TexPiece[] {
  const pieces: TexPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(delimited)) {
    const [whole, inline, bracketed, dollars] = match;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), tex: null });
    pieces.push({
      text: (inline ?? bracketed ?? dollars ?? "").trim(),
      tex: inline === undefined ? "block" : "inline",
    });
    from = match.index + whole.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), tex: null });
  return pieces;
}
