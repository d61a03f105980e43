// The state of a Next.js page of the app router: rows of values in a stream of texts, and among them the elements that the
// server made. Those are HTML in another notation.

import { asHtmlText, asHtmlValue } from "./written-html.ts";

/** Of all texts together. */
const maxLength = 8_000_000;
const maxRows = 20_000;
const maxDepth = 400;
const maxElements = 200_000;

const pushed = /^\s*self\.__next_f\.push\((\[1,[\s\S]*\])\)\s*;?\s*$/;

/** The text that a script adds to the stream; null when it adds none. */
export function flightText(script: string): string | null {
  const [, written] = pushed.exec(script) ?? [];
  if (written === undefined) return null;
  try {
    const [, text] = JSON.parse(written) as unknown[];
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

export type FlightRows = ReadonlyMap<string, unknown>;

/** Rows by their names. A row is a line of JSON, or a text of a given length in bytes. */
export function readFlight(texts: readonly string[]): FlightRows {
  const rows = new Map<string, unknown>();
  const bytes = Buffer.from(texts.join("").slice(0, maxLength));
  for (let at = 0; at < bytes.length && rows.size < maxRows; ) {
    const colon = bytes.indexOf(58, at);
    if (colon < 0) break;
    const name = bytes.toString("latin1", at, colon).trim();
    if (bytes[colon + 1] === 84) {
      const comma = bytes.indexOf(44, colon);
      const length = Number.parseInt(bytes.toString("latin1", colon + 2, comma), 16);
      if (comma < 0 || !(length >= 0)) break;
      rows.set(name, bytes.toString("utf8", comma + 1, comma + 1 + length));
      at = comma + 1 + length;
      continue;
    }
    const end = bytes.indexOf(10, colon);
    const line = bytes.toString("utf8", colon + 1, end < 0 ? bytes.length : end);
    at = end < 0 ? bytes.length : end + 1;
    // Other rows begin with a letter: modules, hints, errors.
    if (!/^[[{"]/.test(line)) continue;
    try {
      rows.set(name, JSON.parse(line));
    } catch {
      // Cut short: nothing of it is shown.
    }
  }
  return rows;
}

/** All values, with the texts in the places that name them. */
export function flightValues(rows: FlightRows): unknown[] {
  let left = maxElements;
  const fill = (value: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof value === "string") {
      const text = /^\$[0-9a-f]+$/.test(value) ? rows.get(value.slice(1)) : undefined;
      return typeof text === "string" ? text : value;
    }
    if (typeof value !== "object" || value === null || depth > maxDepth || left < 0) return value;
    if (Array.isArray(value)) return value.map((each) => fill(each, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, depth + 1)]));
  };
  return [...rows.values()].map((row) => fill(row, 0));
}

const tagName = /^[a-z][a-z0-9-]*$/;
const unseen = new Set(["script", "style", "noscript", "link", "meta", "title", "template", "head"]);
const framing = new Set(["html", "body"]);
const voids = new Set(["br", "hr", "img", "input", "source", "wbr", "area", "col"]);
const shownAttributes = ["href", "src", "alt", "id", "role", "start", "colSpan", "rowSpan", "dateTime", "lang"];

/** The elements of the page as HTML, without what its scripts would add. */
export function flightHtml(rows: FlightRows): string {
  const parts: string[] = [];
  const used = new Set<string>();
  let left = maxElements;

  const follow = (text: string, isSeen: boolean, depth: number): boolean => {
    const name = /^\$(?:L|@)?([0-9a-f]+)$/.exec(text)?.[1];
    if (name === undefined) return false;
    // Each row is shown once: a cycle has no end.
    if (rows.has(name) && !used.has(name)) {
      used.add(name);
      const value = rows.get(name);
      if (typeof value === "string") write(value, isSeen);
      else show(value, isSeen, depth + 1);
    }
    return true;
  };

  const write = (text: string, isSeen: boolean): void => {
    if (isSeen) parts.push(asHtmlText(text.startsWith("$$") ? text.slice(1) : text));
  };

  /** `isSeen`: inside of an element, where texts are texts. */
  const show = (value: unknown, isSeen: boolean, depth: number): void => {
    if (depth > maxDepth || left <= 0) return;
    if (typeof value === "string") {
      if (!value.startsWith("$") || value.startsWith("$$") || !follow(value, isSeen, depth)) {
        if (!value.startsWith("$") || value.startsWith("$$")) write(value, isSeen);
      }
    } else if (typeof value === "number") write(String(value), isSeen);
    else if (Array.isArray(value)) {
      if (value[0] === "$" && typeof value[1] === "string") element(value[1], value[3], isSeen, depth);
      else for (const each of value) show(each, isSeen, depth + 1);
    } else if (typeof value === "object" && value !== null && !isSeen) {
      for (const each of Object.values(value)) if (typeof each === "object") show(each, false, depth + 1);
    }
  };

  const element = (type: string, given: unknown, isSeen: boolean, depth: number): void => {
    left -= 1;
    const props = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
    if (unseen.has(type)) return;
    if (!tagName.test(type) || framing.has(type)) {
      show(props.children, isSeen || tagName.test(type), depth + 1);
      // The root of the page hands its parts on in lists that are no children.
      if (!tagName.test(type)) show(props.initialSeedData, false, depth + 1);
      return;
    }
    parts.push(`<${type}${attributesOf(props)}>`);
    if (voids.has(type)) return;
    const raw = (props.dangerouslySetInnerHTML as { __html?: unknown } | undefined)?.__html;
    if (typeof raw === "string") parts.push(rawHtml(raw));
    else show(props.children, true, depth + 1);
    parts.push(`</${type}>`);
  };

  const rawHtml = (written: string): string => {
    const name = /^\$([0-9a-f]+)$/.exec(written)?.[1];
    const row = name === undefined ? written : rows.get(name);
    return typeof row === "string" ? row : "";
  };

  show(rows.get("0"), false, 0);
  return parts.join("");
}

function attributesOf(props: Record<string, unknown>): string {
  let written = typeof props.className === "string" ? ` class="${asHtmlValue(props.className)}"` : "";
  for (const name of shownAttributes) {
    const value = props[name];
    if (typeof value === "string" || typeof value === "number")
      written += ` ${name.toLowerCase()}="${asHtmlValue(String(value))}"`;
  }
  return written;
}
