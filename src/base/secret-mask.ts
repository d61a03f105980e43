// Takes the values of a team's secrets out of what leaves: each becomes [secret:NAME], however the text around it writes it (as
// it is, in a URL, as HTML, in a string of JSON or escaped for Markdown).

/** Shorter values are not looked for: they would be found in any text. */
const shortestMasked = 6;
/** The latest ones: a process may open many in its life. */
const mostKnown = 1000;

interface MaskedValue {
  name: string;
  /** A part of the value that every way of writing it has; may be empty. */
  core: string;
  pattern: RegExp;
}

export interface SecretMask {
  /** Whether no value is known. */
  readonly isEmpty: boolean;
  add(name: string, value: string): void;
  text(text: string): string;
  /** All texts in it, at any depth. The same object where nothing was found. */
  json<Value>(value: Value): Value;
}

export function createSecretMask(): SecretMask {
  const known = new Map<string, MaskedValue>();

  function text(given: string): string {
    if (known.size === 0) return given;
    let masked = given;
    for (const { name, core, pattern } of known.values()) {
      if (masked.includes(core)) masked = masked.replace(pattern, () => `[secret:${name}]`);
    }
    return masked;
  }

  function json(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) {
      const masked = value.map(json);
      return masked.some((each, place) => each !== value[place]) ? masked : value;
    }
    const pairs = Object.entries(value).map(([key, each]) => [text(key), json(each)] as const);
    const isChanged = Object.entries(value).some(
      ([key, each], at) => pairs[at]?.[0] !== key || pairs[at]?.[1] !== each,
    );
    return isChanged ? Object.fromEntries(pairs) : value;
  }

  return {
    get isEmpty() {
      return known.size === 0;
    },
    add(name, value) {
      if (value.length < shortestMasked) return;
      // A value that contains another one is looked for first.
      known.delete(value);
      known.set(value, { name, core: coreOf(value), pattern: patternOf(value) });
      for (const [oldest] of known) {
        if (known.size <= mostKnown) break;
        known.delete(oldest);
      }
      if (known.size === 1) return;
      const sorted = [...known].sort(([one], [other]) => other.length - one.length);
      known.clear();
      for (const [each, masked] of sorted) known.set(each, masked);
    },
    text,
    json: <Value>(value: Value) => (known.size === 0 ? value : (json(value) as Value)),
  };
}

/** The longest part of plain letters and digits: none of the ways of writing changes it. */
function coreOf(value: string): string {
  return (value.match(/[A-Za-z0-9]+/g) ?? []).reduce((best, part) => (part.length > best.length ? part : best), "");
}

function patternOf(value: string): RegExp {
  const parts = value.match(/\s+|[^\s]/gu) ?? [];
  const pattern = parts.map(formsOf).join("");
  // A code is no part of a longer number.
  return new RegExp(/^\d+$/.test(value) ? `(?<!\\d)${pattern}(?!\\d)` : pattern, "g");
}

const namedEntities: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** A pattern for one character in any way of writing it; white space is folded. */
function formsOf(part: string): string {
  if (/^[A-Za-z0-9]$/.test(part)) return part;
  if (/^\s/.test(part)) return "(?:\\s|%20|%0A|%0D|%09|\\+|&nbsp;|&#(?:32|160|x20|xa0);|\\\\[nrt])+";
  const code = part.codePointAt(0) ?? 0;
  const named = namedEntities[part];
  const entity = [...(named === undefined ? [] : [named]), `#0*${code}`, `#[xX]0*${eitherCase(code.toString(16))}`];
  const escaped = Array.from(part.split(""), (unit) => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\\\u${eitherCase(digits)}`;
  }).join("");
  const percent = eitherCase(encodeBytes(part));
  return `(?:\\\\?${quote(part)}|${percent}|&(?:${entity.join("|")});|${escaped})`;
}

function encodeBytes(part: string): string {
  return Array.from(Buffer.from(part), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function eitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
