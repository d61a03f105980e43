// What changed between two JSON values, by the path of each field.
import type { ChangeRules } from "../contract/index.ts";

export interface FieldChange {
  previous: unknown;
  current: unknown;
}

export type FieldChanges = Record<string, FieldChange>;

/** Deeper values are compared whole. */
const deepest = 20;
/** If more fields change, only these many are shown. */
const mostFields = 1000;

export function compareValues(before: unknown, after: unknown, rules: ChangeRules): FieldChanges {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changed: FieldChanges = {};
  let count = 0;
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [previous, current] = [old.get(path) ?? null, now.get(path) ?? null];
    if (JSON.stringify(previous) === JSON.stringify(current)) continue;
    if (rules.fields !== undefined && !rules.fields.some((field) => isWithin(path, field))) continue;
    if (isTolerated(previous, current, toleranceFor(path, rules))) continue;
    count += 1;
    if (count > mostFields) break;
    changed[path] = { previous, current };
  }
  return changed;
}

/** Leaves by their path: `plans[0].price`. */
function fieldsOf(value: unknown, path = "", depth = 0, found = new Map<string, unknown>()): Map<string, unknown> {
  const isBranch = typeof value === "object" && value !== null && depth < deepest && Object.keys(value).length > 0;
  if (!isBranch) {
    if (path !== "" || value !== null) found.set(path === "" ? "value" : path, value);
    return found;
  }
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : path === "" ? name : `.${name}`;
    fieldsOf(inner, path + step, depth + 1, found);
  }
  return found;
}

/** `plans`, `plans[0].price`, `plans[].price` and `plans.price` all name `plans[0].price` or what it lies in. */
function isWithin(path: string, field: string): boolean {
  const plain = (text: string) => text.replace(/\[[\d*]*\]/g, "");
  const begins = (whole: string, part: string) =>
    whole === part || whole.startsWith(`${part}.`) || whole.startsWith(`${part}[`);
  return begins(path, field) || (plain(field) === field.replace(/\[\*?\]/g, "") && begins(plain(path), plain(field)));
}

function toleranceFor(path: string, { tolerance = {} }: ChangeRules): number | undefined {
  const named = Object.entries(tolerance).filter(([field]) => field !== "*" && isWithin(path, field));
  return named.length > 0 ? Math.max(...named.map(([, most]) => most)) : tolerance["*"];
}

function isTolerated(previous: unknown, current: unknown, tolerance: number | undefined): boolean {
  if (tolerance === undefined) return false;
  const [one, two] = [numberIn(previous), numberIn(current)];
  return one !== null && two !== null && isClose(one, two, tolerance);
}

/** Rounding errors of decimal fractions are not changes. */
export function isClose(one: number, two: number, tolerance: number): boolean {
  return Math.abs(one - two) <= tolerance + 1e-9;
}

/** The number of a value such as 12, "$1,299.00" or "1.299,00 €"; null when it holds none or several. */
function numberIn(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  const found = value.match(/[-+]?\d[\d.,  ]*/g) ?? [];
  const [only] = found;
  return only === undefined || found.length > 1 ? null : numberOfText(only);
}

export function numberOfText(text: string): number | null {
  const digits = text.replace(/[\s ]/g, "").replace(/[.,]+$/, "");
  const [comma, point] = [digits.lastIndexOf(","), digits.lastIndexOf(".")];
  const isCommaDecimal = comma > point && (point >= 0 || !/,\d{3}$/.test(digits));
  const plain = isCommaDecimal ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", "");
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}
