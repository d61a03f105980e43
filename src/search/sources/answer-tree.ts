// Answers in XML or HTML as trees.
import type { Document, Element } from "domhandler";

export interface AnswerTree {
  /** The elements that a selector finds, in all of it or within one. */
  all(selector: string, within?: Element): Element[];
  /** The text of the first one; "" without any. */
  text(selector: string, within?: Element): string;
  attribute(selector: string, name: string, within?: Element): string;
  textOf(element: Element): string;
}

/**
 * Null for XML with a DTD: no entity of a document's own is ever expanded. The packages are loaded with the first answer that
 * needs them, because most sources answer with JSON.
 */
export async function parseAnswer(text: string, kind: "xml" | "html"): Promise<AnswerTree | null> {
  const xmlMode = kind === "xml";
  // A declaration that only names a DTD brings no entities.
  const bare = xmlMode ? text.replace(/<!DOCTYPE[^<>[\]]*>/i, "") : text;
  if (xmlMode && /<!(?:DOCTYPE|ENTITY)/i.test(bare)) return null;
  const [{ parseDocument }, { selectAll, selectOne }] = await Promise.all([
    import("htmlparser2"),
    import("css-select"),
  ]);
  const root: Document = parseDocument(bare, { xmlMode });
  const one = (selector: string, within?: Element) =>
    selectOne(selector, within ?? root, { xmlMode }) as Element | null;
  return {
    all: (selector, within) => selectAll(selector, within ?? root, { xmlMode }) as Element[],
    text(selector, within) {
      const found = one(selector, within);
      return found ? plainText(found) : "";
    },
    textOf: plainText,
    attribute: (selector, name, within) => one(selector, within)?.attribs[name] ?? "",
  };
}

function plainText(element: Element): string {
  return innerText(element).replace(/\s+/g, " ").trim();
}

function innerText(node: Element): string {
  const parts: string[] = [];
  for (const child of node.children) {
    if (child.type === "text") parts.push(child.data);
    else if ("children" in child) parts.push(innerText(child as Element));
  }
  return parts.join("");
}
