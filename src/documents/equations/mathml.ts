// MathML as files bring it -> MathML that says nothing else.
import { escapeHtml } from "../html/escape-html.ts";
import { attributeOf, isNode, parsePart, type XmlNode, xmlText } from "../packages/xml.ts";

const elements = new Set(
  (
    "math mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom mfenced menclose msub msup msubsup munder mover " +
    "munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics annotation"
  ).split(" "),
);
const attributes = ["display", "mathvariant", "open", "close", "separators", "linethickness", "accent", "notation"];
const maxLength = 100_000;

/** Null when it holds no formula. */
export function cleanMathMl(source: string): string | null {
  if (source.length > maxLength) return null;
  const root = rootOf(source);
  return root?.name === "math" && xmlText(root).trim() !== "" ? elementOf(root) : null;
}

function rootOf(source: string): XmlNode | undefined {
  try {
    return parsePart(new TextEncoder().encode(source)).children.find(isNode);
  } catch {
    // Too deep: the formula is read as it is drawn.
    return undefined;
  }
}

/** A formula that is known by its source only. */
export function texMathMl(tex: string): string {
  const text = escapeHtml(tex);
  return `<math><semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math>`;
}

function elementOf(node: XmlNode): string {
  // Other elements of MathML only shape what they hold; elements of anything else say nothing about the formula.
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
