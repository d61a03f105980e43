// Scans the declarations of a style that decide whether text is visible, in one pass over the characters: style sheets are long,
// and most of their properties do not matter here.
import { colourOf } from "./css-values.ts";

const properties = [
  "display",
  "visibility",
  "opacity",
  "color",
  "background-color",
  "background-image",
  "font-size",
  "text-indent",
  "position",
  "left",
  "right",
  "top",
  "bottom",
  "margin-left",
  "margin-top",
  "clip",
  "clip-path",
  "width",
  "height",
  "max-width",
  "max-height",
  "overflow",
  "transform",
  "scale",
  "translate",
  "filter",
  "padding",
  "-webkit-text-fill-color",
  "background-clip",
  "content-visibility",
  /** Transitions and animations. */
  "moves",
  "mask",
] as const;
export type Property = (typeof properties)[number];

/** In lower case. Shorthands are written as what they set. */
export type Declaration = readonly [property: Property, value: string, isImportant: boolean];

/** Properties as bits of one number. */
export function bitOf(property: Property): number {
  return 1 << properties.indexOf(property);
}

export function bitsOf(...all: readonly Property[]): number {
  return all.reduce((bits, property) => bits | bitOf(property), 0);
}

/** Names of properties in style sheets, with what they set. */
const shorthands: Record<string, Property[]> = {
  background: ["background-color", "background-image"],
  font: ["font-size"],
  inset: ["left", "top"],
  margin: ["margin-left", "margin-top"],
  all: [...properties],
  zoom: ["font-size"],
  "mask-image": ["mask"],
  "-webkit-mask": ["mask"],
  "-webkit-mask-image": ["mask"],
  "inset-inline": ["left"],
  "inset-inline-start": ["left"],
  "inset-block": ["top"],
  "inset-block-start": ["top"],
  "margin-inline": ["margin-left"],
  "margin-inline-start": ["margin-left"],
  "margin-block": ["margin-top"],
  "margin-block-start": ["margin-top"],
  "inline-size": ["width"],
  "block-size": ["height"],
  "max-inline-size": ["max-width"],
  "max-block-size": ["max-height"],
  // Letters that are seen by what is around them.
  "text-shadow": ["background-clip"],
  "-webkit-text-stroke": ["background-clip"],
  "overflow-x": ["overflow"],
  "overflow-y": ["overflow"],
  "-webkit-clip-path": ["clip-path"],
  "-webkit-background-clip": ["background-clip"],
  "padding-top": ["padding"],
  "padding-bottom": ["padding"],
  transition: ["moves"],
  animation: ["moves"],
  "will-change": ["moves"],
  "transition-property": ["moves"],
  "animation-name": ["moves"],
};

const names = [...properties.filter((name) => name !== "moves"), ...Object.keys(shorthands)];
const places = new Map(names.map((name, place) => [name, place]));
const setBits = names.map((name) => bitsOf(...(shorthands[name] ?? [name as Property])));

/** Longer values are pictures. */
const longValue = 300;
const longestName = 40;
/** Three numbers for each declaration: index of its name, start and end of its value. */
export const foundSize = 3;
/** Declarations of one rule; further ones are ignored. */
const maxFound = 200 * foundSize;

const code = { colon: 58, semicolon: 59, open: 123, close: 125, quote: 34, tick: 39, backslash: 92, newline: 10 };

/**
 * Adds the declarations of a style to `found` and returns where it ends. Braces end a rule of a sheet, not an attribute. `nested`
 * collects where nested rules begin and where their blocks open.
 */
export function scanDeclarations(
  text: string,
  start: number,
  end: number,
  isSheet: boolean,
  found: number[],
  nested: number[] = [],
): number {
  const most = found.length + maxFound;
  let at = start;
  while (at < end) {
    const from = at;
    let next = 0;
    for (; at < end; at += 1) {
      next = text.charCodeAt(at);
      if (next === code.colon || next === code.semicolon) break;
      if (isSheet && (next === code.open || next === code.close)) break;
    }
    if (at >= end) break;
    if (next === code.close) return at;
    if (next === code.open) {
      nested.push(from, at);
      at = endOfBlock(text, at, end) + 1;
      continue;
    }
    at += 1;
    if (next === code.semicolon) continue;
    const valueFrom = at;
    at = endOfValue(text, at, end, isSheet);
    next = at < end ? text.charCodeAt(at) : code.close;
    if (next === code.open) {
      // A nested rule: what looked like a property was the start of its selector.
      nested.push(from, at);
      at = endOfBlock(text, at, end) + 1;
      continue;
    }
    const place = placeOf(text, from, valueFrom - 1);
    if (place !== undefined && found.length < most) found.push(place, valueFrom, at);
    if (next === code.semicolon) at += 1;
  }
  return end;
}

function placeOf(text: string, start: number, end: number): number | undefined {
  let from = start;
  let to = end;
  while (from < to && text.charCodeAt(from) <= 32) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 32) to -= 1;
  if (to - from > longestName) return undefined;
  const name = text.slice(from, to);
  return places.get(name) ?? (/[A-Z\\]/.test(name) ? places.get(unescaped(name).toLowerCase()) : undefined);
}

/** The semicolon, or in a sheet the brace, that ends a value. */
function endOfValue(text: string, start: number, end: number, isSheet: boolean): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const next = text.charCodeAt(at);
    // No delimiter has a code below the quotation mark, or between the semicolon and the brackets.
    if (next < code.quote || (next > code.semicolon && next < 91)) continue;
    if (next === code.semicolon) {
      if (depth <= 0) return at;
    } else if (next === code.quote || next === code.tick) at = endOfString(text, at, end);
    else if (next === code.backslash) at += 1;
    else if (next === 40 || next === 91) depth += 1;
    else if (next === 41 || next === 93) depth -= 1;
    else if (isSheet && (next === code.open || next === code.close)) return at;
  }
  return end;
}

/** Where a string ends; at the latest at the end of its line. */
function endOfString(text: string, start: number, end: number): number {
  const quote = text.charCodeAt(start);
  let at = start + 1;
  for (; at < end; at += 1) {
    const next = text.charCodeAt(at);
    if (next === quote || next === code.newline) return at;
    if (next === code.backslash) at += 1;
  }
  return at;
}

/** The closing brace of the block that opens at `open`. */
export function endOfBlock(text: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at += 1) {
    const next = text.charCodeAt(at);
    if (next === code.quote || next === code.tick) at = endOfString(text, at, end);
    else if (next === code.backslash) at += 1;
    else if (next === code.open) depth += 1;
    else if (next === code.close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return end;
}

/** The properties that a declaration sets, as bits. */
export function bitsAt(found: readonly number[], at: number): number {
  return setBits[found[at] as number] as number;
}

/** Reads a found declaration; a shorthand gives several. `replace` resolves variables. */
export function readFound(
  text: string,
  found: readonly number[],
  at: number,
  replace: (value: string) => string = (value) => value,
): Declaration[] {
  const from = found[at + 1] as number;
  const raw = text.slice(from, Math.min(found[at + 2] as number, from + longValue));
  const plain = raw.includes("\\") ? unescaped(raw) : raw;
  const written = (plain.includes("var(") ? replace(plain) : plain).trim().toLowerCase();
  const mark = written.indexOf("!");
  const isImportant = mark !== -1 && /^!\s*important$/.test(written.slice(mark));
  const value = isImportant ? written.slice(0, mark).trim() : written;
  if (value === "") return [];
  return expand(names[found[at] as number] as string, value, isImportant).filter(isKnownValue);
}

/** Of a style attribute. */
export function readDeclarations(style: string): Declaration[] {
  const text = withoutComments(style);
  const found: number[] = [];
  scanDeclarations(text, 0, text.length, false, found);
  const declarations: Declaration[] = [];
  for (let at = 0; at < found.length; at += foundSize) declarations.push(...readFound(text, found, at));
  return declarations;
}

export function withoutComments(text: string): string {
  let at = text.indexOf("/*");
  if (at === -1) return text;
  const kept: string[] = [];
  let from = 0;
  while (at !== -1) {
    kept.push(text.slice(from, at));
    const end = text.indexOf("*/", at + 2);
    if (end === -1) return kept.join("");
    from = end + 2;
    at = text.indexOf("/*", from);
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** Resolves CSS escapes: code points in hexadecimal, or a character after a backslash. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_all, digits?: string, character = "") => {
    const point = digits === undefined ? 0 : Number.parseInt(digits, 16);
    if (digits === undefined) return character;
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
  });
}

/** Values of `display`. */
export const displays =
  /^(?:none|contents|block|inline|flow|flow-root|run-in|list-item|math|flex|grid|table|ruby|inherit|initial|unset|revert|revert-layer|-webkit-(?:inline-)?(?:box|flex)|(?:inline|table|ruby)-[a-z-]+|var\(.*|(?:block|inline|list-item|flow|flow-root|flex|grid|table|ruby)(?: (?:block|inline|list-item|flow|flow-root|flex|grid|table|ruby))+)$/;

/** Browsers pass over values that they do not know, and what was declared before holds. */
function isKnownValue([property, value]: Declaration): boolean {
  if (property === "display") return displays.test(value);
  if (property === "visibility" || property === "position" || property === "content-visibility")
    return /^(?:[a-z-]+|var\(.*)$/.test(value);
  if (property === "opacity") return !/^[a-z]+$/.test(value) || wideWord.test(value);
  return property !== "font-size" || !value.startsWith("-");
}

const wideWord = /^(?:inherit|initial|unset|revert|revert-layer)$/;

function expand(name: string, value: string, isImportant: boolean): Declaration[] {
  const set = (property: Property, is: string): Declaration => [property, is, isImportant];
  switch (name) {
    case "background":
    case "background-image": {
      const plain = oneColour(value);
      if (plain !== null) return [set("background-color", plain), set("background-image", "none")];
      if (name === "background-image") return [set("background-image", hasImage(value))];
      return [set("background-color", backgroundColour(value)), set("background-image", hasImage(value))];
    }
    case "font":
      return [set("font-size", /^(?:[a-z-]+\s+)*0(?:px|em|rem|%)?\s*(?:\/|\s)/.test(value) ? "0" : "1em")];
    case "inset":
      return [set("left", value.split(/\s+/).at(-1) ?? value), set("top", value.split(/\s+/)[0] ?? value)];
    case "margin": {
      const [top = value, right = top, , left = right] = value.split(/\s+/);
      return [set("margin-top", top), set("margin-left", left)];
    }
    case "all":
      return wideWord.test(value) ? properties.map((property) => set(property, value)) : [];
    case "zoom":
      return Number.parseFloat(value) < leastZoom ? [set("font-size", "0")] : [];
    case "text-shadow":
    case "-webkit-text-stroke":
      return /^(?:none|0(?:px)?(?:\s+[^\d\s]+)?$)/.test(value) || wideWord.test(value)
        ? []
        : [set("background-clip", "text")];
    default: {
      const [property] = shorthands[name] ?? [name as Property];
      if (property === undefined || (property === "moves" && /^(?:none|auto)$/.test(value))) return [];
      return [set(property, value)];
    }
  }
}

const leastZoom = 0.05;

/** The colour of a gradient that has only one; null: another picture, or none. */
function oneColour(value: string): string | null {
  const [, stops] = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((.*)\)$/.exec(value) ?? [];
  if (stops === undefined) return null;
  const colours = splitOutside(stops, ",", 20).map((stop) => stop.trim().replace(/(?:\s+[\d.]+(?:%|px|em)?)+$/, ""));
  const known = colours.filter((colour, place) => place > 0 || colourOf(colour) !== null);
  return new Set(known).size === 1 && colourOf(known[0] as string) !== null ? (known[0] as string) : null;
}

/** An image, a gradient, or a value that cannot be resolved. */
function hasImage(value: string): string {
  return /url\(|gradient|image|var\(/.test(value) ? "some" : "none";
}

function backgroundColour(value: string): string {
  if (colourOf(value)) return value;
  if (value.includes("currentcolor")) return "currentcolor";
  const parts = value.match(/(?:rgba?|hsla?)\([^()]*\)|#[\da-f]{3,8}\b|[a-z-]+(?:\([^()]*\))?/g) ?? [];
  return parts.find((part) => colourOf(part) !== null) ?? (value.includes("var(") ? "unknown" : "transparent");
}

/** Splits at separators outside strings and brackets. */
export function splitOutside(text: string, separator: string, most: number): string[] {
  if (!text.includes(separator)) return [text];
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length && parts.length < most; at += 1) {
    const character = text[at] as string;
    if (character === "\\") at += 1;
    else if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "(" || character === "[") depth += 1;
    else if (character === ")" || character === "]") depth -= 1;
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (parts.length < most) parts.push(text.slice(from));
  return parts;
}
