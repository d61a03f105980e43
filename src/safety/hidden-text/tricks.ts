// How a style hides text.
import { lengthOf, shareOf } from "./css-values.ts";
import { bitsOf, type Property } from "./declarations.ts";

/** The values that hold for an element. */
export type ShownStyle = ReadonlyMap<Property, string>;

/** What hides an element with everything below it. */
export type Trick = "display" | "visibility" | "opacity" | "size" | "clip" | "place";

/** Practically invisible. */
const leastOpacity = 0.05;
const leastFontSize = 1.5;
/** Off the screen, where people cannot scroll. */
const farAway = -990;

/** The first trick of a style; null when it hides nothing. */
export function trickOf(style: ShownStyle): Trick | null {
  if (style.size === 0) return null;
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return "display";
  if (/^(?:hidden|collapse)$/.test(style.get("visibility") ?? "")) return "visibility";
  if (isFaint(style.get("opacity")) || isFilteredOut(style.get("filter"))) return "opacity";
  if (isCut(style)) return "clip";
  if (isFar(style)) return "place";
  return isTiny(style) ? "size" : null;
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
    case "clip":
      return isNoRectangle(value);
    case "clip-path":
      return isNoShape(value);
    case "scale":
    case "transform":
      return isMovedAway(property, value);
    default:
      if (isAmongProperties(property, sizes)) return isTinyLength(value);
      return isAmongProperties(property, offsets) && (lengthOf(value) ?? 0) < farAway;
  }
}

/** How values that hide begin, by what they belong to; others are skipped. */
const beginnings: readonly (readonly [bits: number, characters: string])[] = [
  [bitsOf("display"), "nN"],
  [bitsOf("visibility", "content-visibility"), "hHcC"],
  [bitsOf("opacity", "font-size", ...sizes), "01.+-"],
  [bitsOf(...offsets), "-"],
];
/** Values that are not told by how they begin. */
const alwaysRead = bitsOf("clip", "clip-path", "filter", "transform", "scale");
const insetBits = bitsOf("left", "top");
const fontBits = bitsOf("font-size");

/** A cheap first look at the value of a declaration that sets some properties; `start` is where it begins. */
export function mayHide(set: number, text: string, start: number): boolean {
  if ((set & alwaysRead) !== 0 || set === insetBits) return true;
  let at = start;
  while (text.charCodeAt(at) <= 32) at += 1;
  const first = text[at] ?? "";
  // Variables, and letters that are written as numbers.
  if (first === "v" || first === "V" || first === "\\") return true;
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

function isCut(style: ShownStyle): boolean {
  const isClipped = isNoRectangle(style.get("clip")) && isOutOfFlow(style);
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
  if (path === undefined) return false;
  return (
    /^inset\(\s*(?:50|[5-9]\d|100)%/.test(path) ||
    /^(?:circle|ellipse)\(\s*0(?:px|%)?[\s)]/.test(path) ||
    /^polygon\(\s*0 0(?:,\s*0 0)*\s*\)/.test(path)
  );
}

/** Browsers cut only what is taken out of the flow. */
function isOutOfFlow(style: ShownStyle): boolean {
  const position = style.get("position");
  return position === undefined || position === "absolute" || position === "fixed";
}

function isFar(style: ShownStyle): boolean {
  if ((lengthOf(style.get("text-indent")) ?? 0) < farAway) return true;
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get("position") ?? "");
  if (isPlaced && sides.some((side) => (lengthOf(style.get(side)) ?? 0) < farAway)) return true;
  return isMovedAway("transform", style.get("transform")) || isMovedAway("scale", style.get("scale"));
}

function isMovedAway(property: "transform" | "scale", value: string | undefined): boolean {
  if (value === undefined) return false;
  if (property === "scale") return shareOf(value) === 0;
  if (/(?:^|\s)scale(?:[xy]|3d)?\(\s*0(?:\.0+)?\s*[,)]/.test(value)) return true;
  return /translate(?:x|y|3d)?\([^)]*-\d{4,}px/.test(value);
}

function isTiny(style: ShownStyle): boolean {
  if (!/^(?:hidden|clip)$/.test(style.get("overflow") ?? "") || /[1-9]/.test(style.get("padding") ?? "")) return false;
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
