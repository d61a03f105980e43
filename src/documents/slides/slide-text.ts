// Text bodies of slides -> blocks: paragraphs with their levels, marks and looks.
import { mathMl } from "../equations/omml.ts";
import type { Blocks } from "../html/html-blocks.ts";
import { Inline, type Look } from "../html/inline-html.ts";
import { chosenAlternative, numberOf, type Relations } from "../packages/opc.ts";
import {
  attributeOf,
  childOf,
  findNodes,
  isNode,
  nodesOf,
  relationOf,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";

const monospaced = /^(?:courier|consolas|menlo|monaco|lucida console|dejavu sans mono|source code pro)/i;

export interface BodyRules {
  /** Whether paragraphs are items unless they say otherwise. */
  hasBullets: boolean;
}

export function readTextBody(body: XmlNode, blocks: Blocks, relations: Relations, { hasBullets }: BodyRules): void {
  const counts: number[] = [];
  for (const paragraph of nodesOf(body, "p")) {
    const properties = childOf(paragraph, "pPr");
    const depth = Math.min(8, Math.max(0, numberOf(properties, "lvl") ?? 0));
    const { inline, plain, isCode } = readParagraph(paragraph, relations);
    if (inline.isEmpty) continue;
    const numbered = childOf(properties, "buAutoNum");
    const isItem =
      numbered !== undefined ||
      childOf(properties, "buChar") !== undefined ||
      childOf(properties, "buBlip") !== undefined ||
      (hasBullets &&
        childOf(properties, "buNone") === undefined &&
        attributeOf(properties ?? paragraph, "indent") !== "0");
    if (isItem) {
      counts.length = depth + 1;
      const start = numberOf(numbered, "startAt") ?? 1;
      counts[depth] = counts[depth] === undefined ? start : (counts[depth] as number) + 1;
      const number = counts[depth];
      blocks.item({ depth, isOrdered: numbered !== undefined, number, html: inline.toString() });
      continue;
    }
    counts.length = 0;
    if (isCode) for (const line of plain.split("\n")) blocks.codeLine(line);
    else blocks.paragraph(inline.toString());
  }
}

export function readParagraph(paragraph: XmlNode, relations: Relations) {
  const inline = new Inline();
  let plain = "";
  let isCode = true;
  const visit = (node: XmlNode) => {
    switch (node.name) {
      case "r":
      case "fld": {
        const look = lookOf(childOf(node, "rPr"), relations);
        const text = xmlText(childOf(node, "t"));
        inline.text(text.replace(/\v/g, "\n"), look);
        plain += text;
        if (!look.isCode && text.trim() !== "") isCode = false;
        return;
      }
      case "br":
        inline.break();
        plain += "\n";
        return;
      case "AlternateContent": {
        const chosen = chosenAlternative(node);
        for (const child of chosen?.children ?? []) if (isNode(child)) visit(child);
        return;
      }
      case "m":
        for (const math of findNodes(node, "oMath")) inline.html(mathMl(math, false));
        isCode = false;
        return;
      default:
    }
  };
  for (const child of paragraph.children) if (isNode(child)) visit(child);
  return { inline, plain, isCode: isCode && plain.trim() !== "" };
}

function lookOf(properties: XmlNode | undefined, relations: Relations): Look {
  if (!properties) return {};
  const isSet = (name: string) => /^(?:1|true|on)$/.test(attributeOf(properties, name) ?? "") || undefined;
  const strike = attributeOf(properties, "strike");
  const baseline = Number(attributeOf(properties, "baseline") ?? 0);
  const font = childOf(properties, "latin");
  const link = childOf(properties, "hlinkClick");
  const id = link && relationOf(link);
  const relation = id === undefined ? undefined : relations.get(id);
  return {
    href: relation?.isExternal ? relation.target : undefined,
    isBold: isSet("b"),
    isItalic: isSet("i"),
    isStruck: strike !== undefined && strike !== "noStrike" ? true : undefined,
    script: baseline > 0 ? "sup" : baseline < 0 ? "sub" : undefined,
    isCode: (font && monospaced.test(attributeOf(font, "typeface") ?? "")) || undefined,
  };
}
