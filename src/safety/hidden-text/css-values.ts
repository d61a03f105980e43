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
  const [, sum] = /^calc\(([^()]*)\)$/.exec(value ?? "") ?? [];
  if (sum !== undefined) return sumOf(sum);
  const [, digits, unit = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(value ?? "") ?? [];
  const factor = pixels[unit];
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

/** Lengths that are added or subtracted. */
function sumOf(text: string): number | null {
  const parts = text.trim().split(/\s+([+-])\s+/);
  return parts.reduce<number | null>((sum, part, place) => {
    if (sum === null || place % 2 === 1) return sum;
    const length = lengthOf(part);
    return length === null ? null : sum + (parts[place - 1] === "-" ? -length : length);
  }, 0);
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
  const [, model, inside = ""] = /^([a-z-]+)\((.*)\)$/.exec(written) ?? [];
  if (model === "light-dark") return colourOf(inside.split(/,(?![^(]*\))/)[0]?.trim() ?? "");
  if (model === "color-mix") return mixedColour(inside);
  const read = model === undefined ? undefined : models[model];
  if (read === undefined || inside.includes("(")) return null;
  const [channels = "", behind] = inside.split("/");
  const parts = channels.split(/[\s,]+/).filter((part) => part !== "");
  const last = behind?.trim() ?? (parts.length > 3 && model !== "color" ? parts[3] : undefined);
  const alpha = last === undefined || last === "none" ? 1 : shareOf(last);
  return parts.length < 3 || alpha === null ? null : read(parts, alpha);
}

const models: Readonly<Record<string, (parts: readonly string[], alpha: number) => Colour | null>> = {
  rgb: rgbColour,
  rgba: rgbColour,
  hsl: hslColour,
  hsla: hslColour,
  hwb: (parts, alpha) => {
    const [, whiteness, blackness] = parts.map((part) => shareOf(part));
    if (whiteness == null || blackness == null || whiteness + blackness < 0.999) return null;
    const grey = (255 * whiteness) / (whiteness + blackness);
    return { red: grey, green: grey, blue: grey, alpha };
  },
  lab: (parts, alpha) => greyColour(parts, 100, alpha),
  lch: (parts, alpha) => greyColour(parts, 100, alpha),
  oklab: (parts, alpha) => greyColour(parts, 1, alpha),
  oklch: (parts, alpha) => greyColour(parts, 1, alpha),
  color: ([space, ...parts], alpha) => {
    if (!/^(?:srgb|display-p3)$/.test(space ?? "") || parts.length < 3) return null;
    const [red, green, blue] = parts.map((part) => 255 * (shareOf(part) ?? Number.NaN));
    return { red: red as number, green: green as number, blue: blue as number, alpha };
  },
};

/** Black, white and transparent ones; others are not resolved. */
function greyColour([lightness = ""]: readonly string[], most: number, alpha: number): Colour | null {
  const share = lightness.endsWith("%") ? shareOf(lightness) : (shareOf(lightness) ?? Number.NaN) / most;
  if (share === null || (alpha > 0 && share > 0.01 && share < 0.99)) return null;
  const grey = share >= 0.99 ? 255 : 0;
  return { red: grey, green: grey, blue: grey, alpha };
}

/** In sRGB; other spaces differ, but not where one colour is all of the mix. */
function mixedColour(inside: string): Colour | null {
  const [, ...mixed] = inside.split(/,(?![^(]*\))/).map((part) => part.trim());
  const shares = mixed
    .map((part) => / ([\d.]+)%$/.exec(part)?.[1])
    .map((share) => (share === undefined ? null : Number(share) / 100));
  const [one, other] = mixed.map((part) => colourOf(part.replace(/ [\d.]+%$/, "")));
  if (!one || !other) return null;
  const share = shares[0] ?? (shares[1] == null ? 0.5 : 1 - shares[1]);
  const between = (key: keyof Colour) => one[key] * share + other[key] * (1 - share);
  return { red: between("red"), green: between("green"), blue: between("blue"), alpha: between("alpha") };
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
