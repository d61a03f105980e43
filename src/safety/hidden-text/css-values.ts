// Parses CSS lengths and colours, as far as it takes to tell whether text is visible.
import tables from "./css-tables.json" with { type: "json" };

const pixels: Readonly<Record<string, number>> = tables.lengthPixels;
const named: Readonly<Record<string, string>> = tables.colours;

/** Red, green and blue from 0 to 255, and how much covers what is behind it, from 0 to 1. */
export interface Colour {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

export const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** In pixels; null unless it is a plain length. */
export function lengthOf(value: string | undefined): number | null {
  const [, digits, unit = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(value ?? "") ?? [];
  const factor = pixels[unit];
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

/** A number or a percentage, as opacity takes it. */
export function shareOf(value: string | undefined): number | null {
  const [, digits, percent] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)$/.exec(value ?? "") ?? [];
  return digits === undefined ? null : Number(digits) / (percent === "%" ? 100 : 1);
}

/** Null for colours that cannot be resolved: variables, mixes, system colours. */
export function colourOf(value: string): Colour | null {
  if (value === "transparent") return { red: 0, green: 0, blue: 0, alpha: 0 };
  const written = Object.hasOwn(named, value) ? (named[value] as string) : value;
  if (written.startsWith("#")) return hexColour(written.slice(1));
  const [, model, inside = ""] = /^(rgba?|hsla?)\(([^()]*)\)$/.exec(value) ?? [];
  if (model === undefined) return null;
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3) return null;
  const alpha = parts[3] === undefined ? 1 : shareOf(parts[3]);
  if (alpha === null) return null;
  return model.startsWith("rgb") ? rgbColour(parts, alpha) : hslColour(parts, alpha);
}

function hexColour(digits: string): Colour | null {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return null;
  const pairs = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16));
  return { red, green, blue, alpha: alpha / 255 };
}

function rgbColour(parts: readonly string[], alpha: number): Colour | null {
  const [red, green, blue] = parts.map((part) => {
    const share = shareOf(part);
    return share === null ? null : part.endsWith("%") ? share * 255 : share;
  });
  if (red == null || green == null || blue == null) return null;
  return { red, green, blue, alpha };
}

function hslColour(parts: readonly string[], alpha: number): Colour | null {
  const hue = Number.parseFloat(parts[0] ?? "");
  const saturation = shareOf(parts[1]);
  const lightness = shareOf(parts[2]);
  if (Number.isNaN(hue) || saturation === null || lightness === null) return null;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return { red: channel(0), green: channel(8), blue: channel(4), alpha };
}

/** Text that differs less from its background cannot be read. */
const leastDifference = 10;

export function areAlike(one: Colour, other: Colour): boolean {
  return (
    Math.abs(one.red - other.red) <= leastDifference &&
    Math.abs(one.green - other.green) <= leastDifference &&
    Math.abs(one.blue - other.blue) <= leastDifference
  );
}
