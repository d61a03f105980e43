// The declarations of a style that decide whether a text can be seen.
import { colourOf, lengthOf, shareOf } from "./css-values.ts";

/** Property -> value in lower case. Shorthands are written as what they set. */
export type Declaration = readonly [property: string, value: string, isImportant: boolean];

/** Longer values are pictures. */
const longValue = 300;
/** More than this is no style that somebody wrote for one element. */
const maxDeclarations = 200;

const wanted = new Set(
  (
    "display visibility opacity color background background-color background-image font font-size text-indent position left right " +
    "top bottom inset margin-left margin-top clip clip-path -webkit-clip-path width height max-width max-height overflow overflow-x " +
    "overflow-y transform scale translate filter padding padding-top padding-bottom -webkit-text-fill-color background-clip " +
    "-webkit-background-clip transition animation will-change content-visibility transition-property animation-name"
  ).split(" "),
);

/** A cheap first look: a style without any of these hides nothing and shows nothing. */
const telling =
  /display|visib|opacity|color|background|font|indent|position|left|top|inset|clip|width|height|overflow|transform|scale|translate|filter/i;

/** `replace`: puts the values of variables in their places. */
export function readDeclarations(text: string, replace: (value: string) => string = (value) => value): Declaration[] {
  const found: Declaration[] = [];
  if (!telling.test(text)) return found;
  for (const declaration of splitOutside(text, ";", maxDeclarations)) {
    const colon = declaration.indexOf(":");
    if (colon <= 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    if (!wanted.has(property)) continue;
    const written = replace(declaration.slice(colon + 1, colon + 1 + longValue))
      .trim()
      .toLowerCase();
    const isImportant = /!\s*important$/.test(written);
    const value = isImportant ? written.replace(/\s*!\s*important$/, "") : written;
    if (value !== "") found.push(...expand(property, value, isImportant));
  }
  return found;
}

function expand(property: string, value: string, isImportant: boolean): Declaration[] {
  const set = (name: string, is: string): Declaration => [name, is, isImportant];
  switch (property) {
    case "background":
      return [set("background-color", backgroundColour(value)), set("background-image", hasImage(value))];
    case "background-image":
      return [set("background-image", hasImage(value))];
    case "font":
      return [set("font-size", /^(?:[a-z-]+\s+)*0(?:px|em|rem|%)?\s*(?:\/|\s)/.test(value) ? "0" : "1em")];
    case "inset":
      return [set("left", value.split(/\s+/).at(-1) ?? value), set("top", value.split(/\s+/)[0] ?? value)];
    case "overflow-x":
    case "overflow-y":
      return [set("overflow", value)];
    case "-webkit-clip-path":
      return [set("clip-path", value)];
    case "-webkit-background-clip":
      return [set("background-clip", value)];
    case "padding":
    case "padding-top":
    case "padding-bottom":
      return [set("padding", value)];
    case "transition":
    case "animation":
    case "will-change":
    case "transition-property":
    case "animation-name":
      return value === "none" || value === "auto" ? [] : [set("moves", value)];
    default:
      return [set(property, value)];
  }
}

/** A picture, a gradient, or something that we cannot tell. */
function hasImage(value: string): string {
  return /url\(|gradient|image|var\(/.test(value) ? "some" : "none";
}

function backgroundColour(value: string): string {
  if (colourOf(value)) return value;
  const parts = value.match(/(?:rgba?|hsla?)\([^()]*\)|#[\da-f]{3,8}\b|[a-z-]+(?:\([^()]*\))?/g) ?? [];
  return parts.find((part) => colourOf(part) !== null) ?? (value.includes("var(") ? "unknown" : "transparent");
}

/** Parts of a text between separators that stand outside of strings and brackets. */
export function splitOutside(text: string, separator: string, most: number): string[] {
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

/** The values that hold for an element. */
export type ShownStyle = ReadonlyMap<string, string>;

/** How a text is kept from being seen. */
export type Trick = "display" | "visibility" | "opacity" | "size" | "clip" | "place";

/** As good as invisible. */
const leastOpacity = 0.05;
const leastFontSize = 1.5;
/** Nobody scrolls there. */
const farAway = -990;

/** The first trick of a style that hides the element with everything below it; null when it hides nothing. */
export function trickOf(style: ShownStyle): Trick | null {
  if (style.size === 0) return null;
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return "display";
  if (/^(?:hidden|collapse)$/.test(style.get("visibility") ?? "")) return "visibility";
  if (isFaded(style)) return "opacity";
  if (isCut(style)) return "clip";
  if (isFar(style)) return "place";
  return isTiny(style) ? "size" : null;
}

/** Whether a value is a part of a trick. */
export function isHidingValue(property: string, value: string): boolean {
  switch (property) {
    case "display":
      return value === "none";
    case "opacity":
      return (shareOf(value) ?? 1) < leastOpacity;
    case "content-visibility":
    case "visibility":
      return value === "hidden" || value === "collapse";
    case "clip":
    case "clip-path":
    case "filter":
    case "scale":
      return true;
    case "transform":
      return /scale|translate/.test(value);
    case "width":
    case "height":
    case "max-width":
    case "max-height":
      return isTinyLength(value);
    default:
      return (lengthOf(value) ?? 0) < farAway;
  }
}

function isFaded(style: ShownStyle): boolean {
  const opacity = shareOf(style.get("opacity"));
  if (opacity !== null && opacity < leastOpacity) return true;
  const [, filtered] = /opacity\(\s*([\d.]+%?)\s*\)/.exec(style.get("filter") ?? "") ?? [];
  return filtered !== undefined && (shareOf(filtered) ?? 1) < leastOpacity;
}

function isCut(style: ShownStyle): boolean {
  const [, edges] = /^rect\(([^()]*)\)$/.exec(style.get("clip") ?? "") ?? [];
  if (edges !== undefined && isOutOfFlow(style)) {
    const [top, right, bottom, left] = edges.split(/[\s,]+/).map((edge) => lengthOf(edge));
    if (top != null && bottom != null && bottom - top <= 1) return true;
    if (left != null && right != null && right - left <= 1) return true;
  }
  const path = style.get("clip-path") ?? "";
  const inset = /^inset\(\s*(?:50|[5-9]\d|100)%/.test(path);
  return (
    inset || /^(?:circle|ellipse)\(\s*0(?:px|%)?[\s)]/.test(path) || /^polygon\(\s*0 0(?:,\s*0 0)*\s*\)/.test(path)
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
  const sides = ["left", "right", "top", "bottom", "margin-left", "margin-top"];
  if (isPlaced && sides.some((side) => (lengthOf(style.get(side)) ?? 0) < farAway)) return true;
  if (/(?:^|\s)scale(?:[xy]|3d)?\(\s*0(?:\.0+)?\s*[,)]/.test(style.get("transform") ?? "")) return true;
  if (shareOf(style.get("scale")) === 0) return true;
  return /translate(?:x|y|3d)?\([^)]*-\d{4,}px/.test(style.get("transform") ?? "");
}

function isTiny(style: ShownStyle): boolean {
  if (!/^(?:hidden|clip)$/.test(style.get("overflow") ?? "") || style.has("padding")) return false;
  return ["width", "height", "max-width", "max-height"].some((side) => isTinyLength(style.get(side)));
}

function isTinyLength(value: string | undefined): boolean {
  const length = lengthOf(value);
  return length !== null && length >= 0 && length <= 1;
}

/** Text of its own that is too small to be read; what is below may have a size of its own. */
export function isFontTiny(style: ShownStyle): boolean {
  const value = style.get("font-size");
  if (value === undefined) return false;
  const length = lengthOf(value);
  // Sizes in em and percent are of the size around them.
  return length !== null && length >= 0 && length < (/em|%/.test(value) ? 1 : leastFontSize);
}

/** What makes a text that is not seen yet likely to be seen later: it moves or fades in. */
export function isMoving(style: ShownStyle): boolean {
  return style.has("moves") || /translate|matrix|rotate|perspective/.test(style.get("transform") ?? "");
}
