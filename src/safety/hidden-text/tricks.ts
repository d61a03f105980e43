// How a style hides text.
import { colourOf, lengthOf, shareOf } from "./css-values.ts";
import { bitOf, bitsOf, type Property } from "./declarations.ts";

/** The values that hold for an element. */
export type ShownStyle = ReadonlyMap<Property, string>;

/** What hides an element with everything below it. */
export type Trick = "display" | "visibility" | "opacity" | "size" | "clip" | "place";

/** Practically invisible. */
const leastOpacity = 0.05;
const leastFontSize = 1.5;
/** Off the screen, where people cannot scroll. */
const farAway = -990;
/** Below or beside the window, where what is fixed cannot be scrolled to. */
const farBeyond = 1500;
const longMargin = 60;
const longIndent = 12;

/** The first trick of a style; null when it hides nothing. */
export function trickOf(style: ShownStyle, box: BoxKind = "block"): Trick | null {
  if (style.size === 0) return null;
  const isInline = box === "inline" && isInFlow(style);
  if (style.get("display") === "none") return "display";
  if (/^(?:hidden|collapse)$/.test(style.get("visibility") ?? "")) return "visibility";
  if (style.get("display") === "contents") return null;
  if (style.get("content-visibility") === "hidden" && !isInline) return "display";
  if (isFaint(style.get("opacity")) || isFilteredOut(style.get("filter")) || isMasked(style.get("mask")))
    return "opacity";
  if (isCut(style, box)) return "clip";
  if (isFar(style, isInline)) return "place";
  return !isInline && isTiny(style) ? "size" : null;
}

/** What a style is for when it says nothing of it: a block, part of a line, or unknown. */
export type BoxKind = "block" | "inline" | "unknown";

/** As part of a line, an element has neither a size nor a place that could be moved. */
function isInFlow(style: ShownStyle): boolean {
  return /^inline$/.test(style.get("display") ?? "inline") && !/^(?:absolute|fixed)$/.test(style.get("position") ?? "");
}

/** A picture through which nothing is seen. */
function isMasked(mask: string | undefined): boolean {
  const [, stops] = /gradient\((.*)\)/.exec(mask ?? "") ?? [];
  if (stops === undefined) return false;
  const colours = stops.split(/,(?![^(]*\))/).map((stop) => stop.trim().replace(/(?:\s+[\d.]+(?:%|px)?)+$/, ""));
  return colours.every((colour, place) => (colourOf(colour)?.alpha ?? (place === 0 ? 0 : 1)) < leastOpacity);
}

const sizes = ["width", "height", "max-width", "max-height"] as const;
const sides = ["left", "right", "top", "bottom", "margin-left", "margin-top"] as const;
/** What moves text. */
export const offsets = ["text-indent", ...sides] as const;

function isAmongProperties(property: Property, list: readonly Property[]): boolean {
  return list.includes(property);
}

/** Whether a value is a part of a trick. */
export function isHidingValue(property: Property, value: string): boolean {
  switch (property) {
    case "display":
      return value === "none";
    case "opacity":
      return isFaint(value);
    case "content-visibility":
    case "visibility":
      return value === "hidden" || value === "collapse";
    case "filter":
      return isFilteredOut(value);
    case "mask":
      return isMasked(value);
    case "clip":
      return isNoRectangle(value);
    case "clip-path":
      return isNoShape(value);
    case "scale":
    case "transform":
    case "translate":
      return isMovedAway(property, value);
    default:
      if (isAmongProperties(property, sizes)) return isTinyLength(value);
      return (
        isAmongProperties(property, offsets) &&
        (isFarLength(value) || (lengthOf(value) ?? 0) > farBeyond || /^1\d\d%$/.test(value))
      );
  }
}

/** How values that hide begin, by what they belong to; others are skipped. */
const beginnings: readonly (readonly [bits: number, characters: string])[] = [
  [bitsOf("display"), "nN"],
  [bitsOf("visibility", "content-visibility"), "hHcC"],
  [bitsOf("opacity", "font-size", ...sizes), "01.+-"],
  [bitsOf(...offsets), "-cC0123456789"],
];
/** Values that are not told by how they begin. */
const alwaysRead = bitsOf("clip", "clip-path", "filter", "transform", "scale", "translate", "mask");
const insetBits = bitsOf("left", "top");
const marginBits = bitsOf("margin-left", "margin-top");
const fontBits = bitsOf("font-size");

/** A cheap first look at the value of a declaration that sets some properties; `start` is where it begins. */
export function mayHide(set: number, text: string, start: number): boolean {
  if ((set & alwaysRead) !== 0 || set === insetBits) return true;
  if (set === marginBits) return text.slice(start, start + longMargin).includes("-");
  let at = start;
  while (text.charCodeAt(at) <= 32) at += 1;
  const first = text[at] ?? "";
  // Variables, and letters that are written as numbers.
  if (first === "v" || first === "V" || first === "\\") return true;
  if (first === "c" && text.startsWith("calc", at)) return true;
  if ((set & bitOf("text-indent")) !== 0 && /^\s*1\d\d%/.test(text.slice(start, start + longIndent))) return true;
  if (set === fontBits && /[a-z]/i.test(first)) return true;
  for (const [all, characters] of beginnings) {
    if ((set & all) !== 0 && characters.includes(first)) return first !== "1" || !isDigit(text.charCodeAt(at + 1));
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isFaint(opacity: string | undefined): boolean {
  const share = shareOf(opacity);
  return share !== null && share < leastOpacity;
}

function isFilteredOut(filter: string | undefined): boolean {
  const [, share] = /opacity\(\s*([\d.]+%?)\s*\)/.exec(filter ?? "") ?? [];
  return isFaint(share);
}

function isCut(style: ShownStyle, box: BoxKind): boolean {
  const isClipped = isNoRectangle(style.get("clip")) && isOutOfFlow(style, box);
  return isClipped || isNoShape(style.get("clip-path"));
}

function isNoRectangle(clip: string | undefined): boolean {
  const [, edges] = /^rect\(([^()]*)\)$/.exec(clip ?? "") ?? [];
  if (edges === undefined) return false;
  const [top, right, bottom, left] = edges.split(/[\s,]+/).map((edge) => lengthOf(edge));
  if (top != null && bottom != null && bottom - top <= 1) return true;
  return left != null && right != null && right - left <= 1;
}

function isNoShape(path: string | undefined): boolean {
  const [, shape, inside = ""] = /^(inset|circle|ellipse|polygon|rect|xywh)\((.*)\)$/.exec(path ?? "") ?? [];
  if (shape === undefined) return false;
  const [sizes = ""] = inside.split(/\b(?:at|round)\b/);
  const values = sizes
    .trim()
    .split(/[\s,]+/)
    .map(Number.parseFloat);
  const [first = 0, second = first, third = first, fourth = second] = values;
  if (shape === "inset") return sizes.includes("%") && (first + third >= 100 || second + fourth >= 100);
  if (shape === "polygon") return areaOf(inside) === 0;
  if (shape === "rect") return third - first <= 0 || second - fourth <= 0;
  return shape === "xywh" ? third === 0 || fourth === 0 : sizes.trim() !== "" && (first === 0 || second === 0);
}

/** Twice the area that points enclose; null when they are not plain numbers. */
function areaOf(points: string): number | null {
  const list = points
    .replace(/^\s*(?:evenodd|nonzero)\s*,/, "")
    .split(",")
    .map((point) => point.trim().split(/\s+/).map(Number.parseFloat));
  if (list.some(([x, y]) => x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y))) return null;
  const sum = list.reduce((area, [x = 0, y = 0], place) => {
    const [nextX = 0, nextY = 0] = list[(place + 1) % list.length] as number[];
    return area + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum);
}

/** Browsers cut only what is taken out of the flow. */
function isOutOfFlow(style: ShownStyle, box: BoxKind): boolean {
  const position = style.get("position");
  return position === undefined ? box === "unknown" : /^(?:absolute|fixed)$/.test(position);
}

function isFar(style: ShownStyle, isInline: boolean): boolean {
  const position = style.get("position") ?? "";
  const isPlaced = /^(?:absolute|fixed|relative)$/.test(position);
  if (isPlaced && (["left", "top"] as const).some((side) => isFarLength(style.get(side)))) return true;
  if (/^(?:absolute|fixed)$/.test(position) && sides.some((side) => isFarLength(style.get(side)))) return true;
  if (position === "fixed" && sides.some((side) => (lengthOf(style.get(side)) ?? 0) > farBeyond)) return true;
  if (isInline) return false;
  const indent = style.get("text-indent");
  if (isFarLength(indent) || (/^1\d\d%$/.test(indent ?? "") && isClipping(style))) return true;
  if ((["margin-left", "margin-top"] as const).some((side) => isFarLength(style.get(side)))) return true;
  return (["transform", "scale", "translate"] as const).some((property) => isMovedAway(property, style.get(property)));
}

function isFarLength(value: string | undefined): boolean {
  return (lengthOf(value) ?? 0) < farAway;
}

function isMovedAway(property: "transform" | "scale" | "translate", value: string | undefined): boolean {
  if (value === undefined) return false;
  if (property === "scale") return value.split(/\s+/).some((part) => shareOf(part) === 0);
  if (property === "translate") return value.split(/\s+/).some(isMovedFar);
  for (const [, name = "", inside = ""] of value.matchAll(/([a-z\d]+)\(([^()]*(?:\([^()]*\))?[^()]*)\)/g)) {
    const parts = inside.split(/[\s,]+/).filter((part) => part !== "");
    if (name.startsWith("scale") && parts.some((part) => shareOf(part) === 0)) return true;
    if (name.startsWith("translate") && (parts.some(isMovedFar) || isMovedFar(inside))) return true;
    if (/^rotate[xy]$/.test(name) && /^-?(?:90deg|270deg|\.25turn|0\.25turn|100grad)$/.test(inside.trim())) return true;
    if (name === "matrix" && Number(parts[0]) * Number(parts[3]) === Number(parts[1]) * Number(parts[2])) return true;
  }
  return false;
}

/** By more than any window, or many times its own size. */
function isMovedFar(length: string): boolean {
  return isFarLength(length) || /^-(?:[5-9]\d{2}|\d{4,})(?:\.\d+)?%$/.test(length);
}

function isClipping(style: ShownStyle): boolean {
  return /^(?:hidden|clip)\b/.test(style.get("overflow") ?? "");
}

function isTiny(style: ShownStyle): boolean {
  if (!isClipping(style) || /[1-9]/.test(style.get("padding") ?? "")) return false;
  return sizes.some((side) => isTinyLength(style.get(side)));
}

function isTinyLength(value: string | undefined): boolean {
  const length = lengthOf(value);
  return length !== null && length >= 0 && length <= 1;
}

/** Whether text of this size is too small to read. */
export function isFontTiny(size: string | undefined): boolean {
  const length = lengthOf(size);
  // Sizes in em and percent are of the size around them.
  return length !== null && length >= 0 && length < (/em|%/.test(size ?? "") ? 1 : leastFontSize);
}

/** Text that moves or fades in is likely to be shown later. */
export function isMoving(style: ShownStyle): boolean {
  return style.has("moves") || /translate|matrix|rotate|perspective/.test(style.get("transform") ?? "");
}
