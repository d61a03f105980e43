// MathML -> TeX, for formulas that come without the TeX they were made from.
import type { Element } from "domhandler";
import { attribute, isElement, textOf } from "../../html/index.ts";
import stored from "./mathml-signs.json" with { type: "json" };

export function mathMlTex(math: Element): string {
  return texOf(math)
    .replace(/\s+/g, " ")
    .replace(/ (?=[_^}])/g, "")
    .trim();
}

/** Some signs only tell programs how neighbours belong together: they are written as nothing. */
const signs: Readonly<Record<string, string>> = stored.signs;
const accents: Readonly<Record<string, string>> = stored.accents;
const functions =
  /^(?:arc(?:sin|cos|tan)|(?:sin|cos|tan|cot)h?|sec|csc|log|ln|lg|exp|lim|limsup|liminf|max|min|sup|inf|det|dim|ker|gcd|deg|arg|hom|Pr)$/;

function texOf(element: Element): string {
  const parts = element.children.filter(isElement);
  const part = (at: number) => (parts[at] ? texOf(parts[at]) : "");
  const group = (at: number) => `{${part(at).trim()}}`;
  const all = () => parts.map(texOf).join("");
  switch (element.name) {
    case "mi":
    case "mn":
    case "mo":
      return signOf(textOf(element).trim());
    case "mtext":
    case "ms":
      return `\\text{${textOf(element)}}`;
    case "mspace":
      return " ";
    case "mfrac":
      return `\\frac${group(0)}${group(1)}`;
    case "msqrt":
      return `\\sqrt{${all()}}`;
    case "mroot":
      return `\\sqrt[${part(1)}]${group(0)}`;
    case "mover":
    case "munder": {
      // Read once: formulas nest, and two readings a level would double with each.
      const base = part(0);
      return accented(parts[1], base) ?? `${base}${element.name === "mover" ? "^" : "_"}${group(1)}`;
    }
    case "msup":
      return `${based(part(0))}^${group(1)}`;
    case "msub":
      return `${based(part(0))}_${group(1)}`;
    case "msubsup":
    case "munderover":
      return `${part(0)}_${group(1)}^${group(2)}`;
    case "mfenced":
      return fenced(element, parts);
    case "mtable":
      return `\\begin{matrix}${parts.map(texOf).join(" \\\\ ")}\\end{matrix}`;
    case "mtr":
      return parts.map(texOf).join(" & ");
    case "annotation":
    case "annotation-xml":
    case "mphantom":
      return "";
    default:
      return parts.length > 0 ? all() : textOf(element).trim();
  }
}

function signOf(text: string): string {
  if (functions.test(text)) return `\\${text} `;
  return Object.hasOwn(signs, text) ? (signs[text] as string) : text;
}

/** What is raised together is put in braces, unless it is one sign or one fence. */
function based(base: string): string {
  return /[\^_]/.test(base) && !/[)\]}]$/.test(base) ? `{${base.trim()}}` : base;
}

function accented(accent: Element | undefined, base: string): string | null {
  const sign = accent === undefined ? "" : textOf(accent).trim();
  return Object.hasOwn(accents, sign) ? `\\${accents[sign]}{${base.trim()}}` : null;
}

function fenced(element: Element, parts: readonly Element[]): string {
  const open = attribute(element, "open") ?? "(";
  const close = attribute(element, "close") ?? ")";
  const [between = ","] = attribute(element, "separators")?.trim() ?? ",";
  return signOf(open) + parts.map(texOf).join(between) + signOf(close);
}
