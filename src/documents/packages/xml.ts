// The XML parts of office files -> a light tree. No document type is read, no entity beyond the five is known.

import { Parser } from "htmlparser2";
import { FileFault } from "../file/file-reading.ts";

export interface XmlNode {
  /** Without its prefix: producers choose prefixes freely. */
  name: string;
  /** As written, prefixes included. */
  attributes: Record<string, string>;
  children: (XmlNode | string)[];
}

const maxDepth = 600;
const maxNodes = 4_000_000;

export function parsePart(bytes: Uint8Array): XmlNode {
  const root: XmlNode = { name: "", attributes: {}, children: [] };
  const open: XmlNode[] = [root];
  let count = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const node: XmlNode = { name: localName(name), attributes, children: [] };
        (open[open.length - 1] as XmlNode).children.push(node);
        open.push(node);
        count += 1;
        if (open.length > maxDepth) throw new FileFault("limit", "The file's elements are nested too deeply");
        if (count > maxNodes) throw new FileFault("limit", "The file has too many elements");
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
      ontext(data) {
        const { children } = open[open.length - 1] as XmlNode;
        const last = children.length - 1;
        if (typeof children[last] === "string") children[last] += data;
        else children.push(data);
      },
    },
    { xmlMode: true },
  );
  parser.end(decodeXml(bytes));
  return root;
}

export function decodeXml(bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c && third === 0 && fourth !== 0);
  const head = isLittle || isBig ? "" : Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const declared = /^[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1];
  try {
    return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : (declared ?? "utf-8")).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}

/** An attribute by its local name, whatever its prefix. */
export function attributeOf(node: XmlNode | undefined, local: string): string | undefined {
  if (!node) return undefined;
  const { attributes } = node;
  if (Object.hasOwn(attributes, local)) return attributes[local];
  for (const name in attributes)
    if (name.endsWith(local) && name[name.length - local.length - 1] === ":") return attributes[name];
  return undefined;
}

/** The attribute `val` of the child at the end of a path of names, as Office writes most values. */
export function valueIn(node: XmlNode | undefined, ...names: string[]): string | undefined {
  return attributeOf(descend(node, ...names), "val");
}

/** The reference to another part, which is not the element's own `id`. */
export function relationOf(node: XmlNode | undefined, local = "id"): string | undefined {
  for (const name in node?.attributes) if (name.endsWith(`:${local}`)) return node.attributes[name];
  return undefined;
}

export function isNode(child: XmlNode | string): child is XmlNode {
  return typeof child !== "string";
}

export function nodesOf(node: XmlNode | undefined, name?: string): XmlNode[] {
  if (!node) return [];
  return node.children.filter(
    (child): child is XmlNode => isNode(child) && (name === undefined || child.name === name),
  );
}

/** The first child of that name. */
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child): child is XmlNode => isNode(child) && child.name === name);
}

/** The child at the end of a path of names. */
export function descend(node: XmlNode | undefined, ...names: string[]): XmlNode | undefined {
  return names.reduce<XmlNode | undefined>((at, name) => childOf(at, name), node);
}

/** All nodes of that name below, in document order; those inside a found one are not looked for. */
export function findNodes(node: XmlNode | undefined, name: string, found: XmlNode[] = []): XmlNode[] {
  for (const child of node?.children ?? []) {
    if (!isNode(child)) continue;
    if (child.name === name) found.push(child);
    else findNodes(child, name, found);
  }
  return found;
}

export function findNode(node: XmlNode | undefined, name: string): XmlNode | undefined {
  for (const child of node?.children ?? []) {
    if (!isNode(child)) continue;
    const found = child.name === name ? child : findNode(child, name);
    if (found) return found;
  }
  return undefined;
}

/** All text below. */
export function xmlText(node: XmlNode | undefined): string {
  if (!node) return "";
  let text = "";
  for (const child of node.children) text += isNode(child) ? xmlText(child) : child;
  return text;
}

/** `val` of an element that is on by being there: `<w:b/>`, `<w:b w:val="0"/>`. */
export function isOn(node: XmlNode | undefined): boolean | undefined {
  if (!node) return undefined;
  const value = attributeOf(node, "val");
  return value === undefined || !/^(?:0|false|off|none)$/i.test(value);
}
