// Equations of Office (OMML) and MathML in files -> clean MathML, from which the markdown gets its TeX.

import { escapeHtml } from "../html/document-html.ts";
import {
  attributeOf,
  childOf,
  descend,
  isNode,
  nodesOf,
  parsePart,
  valueIn,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";

export function mathMl(math: XmlNode, isBlock: boolean): string {
  return `<math${isBlock ? ' display="block"' : ""}>${rowOf(math)}</math>`;
}

function rowOf(node: XmlNode | undefined): string {
  const parts = (node?.children ?? []).filter(isNode).map(partOf);
  const html = parts.join("");
  return parts.filter((part) => part !== "").length === 1 ? html : `<mrow>${html}</mrow>`;
}

/** "" where a property is there without a value. */
const value = (node: XmlNode, properties: string, name: string): string | undefined =>
  valueIn(node, properties, name) ?? (descend(node, properties, name) && "");

/** The element of a base with what is set around it, and the names of its parts. */
const scripts: ReadonlyMap<string, readonly string[]> = new Map([
  ["sSup", ["msup", "e", "sup"]],
  ["sSub", ["msub", "e", "sub"]],
  ["sSubSup", ["msubsup", "e", "sub", "sup"]],
  ["limLow", ["munder", "e", "lim"]],
  ["limUpp", ["mover", "e", "lim"]],
]);

function partOf(node: XmlNode): string {
  const row = (name: string) => rowOf(childOf(node, name));
  const [element, ...parts] = scripts.get(node.name) ?? [];
  if (element) return `<${element}>${parts.map(row).join("")}</${element}>`;
  switch (node.name) {
    case "r":
      return runOf(node);
    case "f": {
      const isBare = value(node, "fPr", "type") === "noBar";
      return `<mfrac${isBare ? ' linethickness="0"' : ""}>${row("num")}${row("den")}</mfrac>`;
    }
    case "sPre":
      return `<msubsup><mrow></mrow>${row("sub")}${row("sup")}</msubsup>${row("e")}`;
    case "rad": {
      const degree = childOf(node, "deg");
      const isSquare = value(node, "radPr", "degHide") !== undefined || xmlText(degree).trim() === "";
      return isSquare ? `<msqrt>${row("e")}</msqrt>` : `<mroot>${row("e")}${rowOf(degree)}</mroot>`;
    }
    case "d":
      return fenced(node);
    case "nary":
      return nary(node);
    case "func":
      return `${row("fName")}<mo>&#8289;</mo>${row("e")}`;
    case "acc":
      return `<mover accent="true">${row("e")}<mo>${escapeHtml(value(node, "accPr", "chr") ?? "^")}</mo></mover>`;
    case "bar": {
      const isBelow = value(node, "barPr", "pos") !== "top";
      return isBelow ? `<munder>${row("e")}<mo>_</mo></munder>` : `<mover>${row("e")}<mo>¯</mo></mover>`;
    }
    case "groupChr": {
      const sign = escapeHtml(value(node, "groupChrPr", "chr") ?? "⏟");
      const isAbove = value(node, "groupChrPr", "pos") === "top";
      return isAbove ? `<mover>${row("e")}<mo>${sign}</mo></mover>` : `<munder>${row("e")}<mo>${sign}</mo></munder>`;
    }
    case "m":
      return `<mtable>${nodesOf(node, "mr")
        .map((line) => cellsRow(nodesOf(line, "e")))
        .join("")}</mtable>`;
    case "eqArr":
      return `<mtable>${nodesOf(node, "e")
        .map((line) => cellsRow([line]))
        .join("")}</mtable>`;
    default:
      if (/^(?:box|borderBox|phant|e)$/.test(node.name)) return rowOf(childOf(node, "e") ?? node);
      return node.name.endsWith("Pr") ? "" : rowOf(node);
  }
}

function cellsRow(cells: readonly XmlNode[]): string {
  return `<mtr>${cells.map((cell) => `<mtd>${rowOf(cell)}</mtd>`).join("")}</mtr>`;
}

function fenced(node: XmlNode): string {
  const sign = (name: string, otherwise: string) => value(node, "dPr", name) ?? otherwise;
  const parts = nodesOf(node, "e").map(rowOf);
  const between = `<mo>${escapeHtml(sign("sepChr", "|"))}</mo>`;
  const mark = (text: string) => (text === "" ? "" : `<mo fence="true">${escapeHtml(text)}</mo>`);
  return `<mrow>${mark(sign("begChr", "("))}${parts.join(between)}${mark(sign("endChr", ")"))}</mrow>`;
}

function nary(node: XmlNode): string {
  const sign = `<mo>${escapeHtml(value(node, "naryPr", "chr") || "∫")}</mo>`;
  const isHidden = (name: string) => /^(?:1|on|true|)$/.test(value(node, "naryPr", name) ?? "0");
  const under = isHidden("subHide") ? "" : rowOf(childOf(node, "sub"));
  const over = isHidden("supHide") ? "" : rowOf(childOf(node, "sup"));
  const body = rowOf(childOf(node, "e"));
  if (under && over) return `<munderover>${sign}${under}${over}</munderover>${body}`;
  if (under) return `<munder>${sign}${under}</munder>${body}`;
  return over ? `<mover>${sign}${over}</mover>${body}` : sign + body;
}

/** Numbers, names and signs of one run. */
function runOf(run: XmlNode): string {
  const text = nodesOf(run, "t").map(xmlText).join("");
  const isText = childOf(childOf(run, "rPr"), "nor") !== undefined;
  if (isText) return `<mtext>${escapeHtml(text)}</mtext>`;
  const isUpright = value(run, "rPr", "sty") === "p";
  const parts = text.match(/\d+(?:[.,]\d+)*|\p{L}+|\s+|[^\s\p{L}\d]/gu) ?? [];
  return parts
    .map((part) => {
      if (/^\d/.test(part)) return `<mn>${part}</mn>`;
      if (/^\s/.test(part)) return "";
      if (!/^\p{L}/u.test(part)) return `<mo>${escapeHtml(part)}</mo>`;
      if (isUpright && part.length > 1) return `<mi>${part}</mi>`;
      return [...part].map((letter) => `<mi>${letter}</mi>`).join("");
    })
    .join("");
}

const elements = new Set(
  (
    "math mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom mfenced menclose msub msup msubsup munder mover " +
    "munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics annotation"
  ).split(" "),
);
const attributes = ["display", "mathvariant", "open", "close", "separators", "linethickness", "accent", "notation"];
const maxLength = 100_000;

/** Null when there is no formula in it. */
export function cleanMathMl(source: string): string | null {
  if (source.length > maxLength) return null;
  const root = rootOf(source);
  return root?.name === "math" && xmlText(root).trim() !== "" ? elementOf(root) : null;
}

function rootOf(source: string): XmlNode | undefined {
  try {
    return parsePart(new TextEncoder().encode(source)).children.find(isNode);
  } catch {
    // Nested too deeply: the formula is read as it is drawn.
    return undefined;
  }
}

/** A formula of which only the TeX source is known. */
export function texMathMl(tex: string): string {
  const text = escapeHtml(tex);
  return `<math><semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math>`;
}

function elementOf(node: XmlNode): string {
  // Other MathML elements only style their content; elements of other languages add nothing to the formula.
  if (!node.name.startsWith("m") && !elements.has(node.name)) return "";
  const inside = node.children.map((child) => (isNode(child) ? elementOf(child) : escapeHtml(child))).join("");
  if (!elements.has(node.name)) return inside;
  if (node.name === "annotation") {
    const isTex = /tex$/i.test(attributeOf(node, "encoding") ?? "");
    return isTex ? `<annotation encoding="application/x-tex">${escapeHtml(xmlText(node))}</annotation>` : "";
  }
  const kept = attributes.flatMap((name) => {
    const value = attributeOf(node, name);
    return value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`];
  });
  return `<${node.name}${kept.join("")}>${inside}</${node.name}>`;
}
