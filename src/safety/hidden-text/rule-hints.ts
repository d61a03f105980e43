// Finds the few rules that may hide something, so that most elements cost nothing.
import { areAlike, type Colour, colourOf, white } from "./css-values.ts";
import { bitOf, bitsAt, bitsOf, type Declaration, foundSize, type Property, readFound } from "./declarations.ts";
import type { Replace, WrittenRule, WrittenRules } from "./style-rules.ts";
import { isFontTiny, isHidingValue, mayHide } from "./tricks.ts";

/**
 * What a rule or an attribute may do, as bits: hide its element; set a tiny font; make text transparent; set text in the page's
 * background colour, or in another background's colour; set such a background.
 */
export const hint = { trick: 1, small: 2, clear: 4, pageColour: 8, otherColour: 16, background: 32 } as const;

export interface RuleHints {
  /** By the order of the rules. */
  hints: number[];
  /** The properties with which some rule hides something, as bits; all others are ignored. */
  counting: number;
}

/** Text with less opacity is invisible. */
const leastAlpha = 0.1;
const maxColours = 400;

const letterBits = bitsOf("color", "-webkit-text-fill-color");
const movesBit = bitOf("moves");
const groundBits = bitOf("background-color");
const alwaysCounting = letterBits | groundBits | bitsOf("opacity", "font-size", "background-image", "background-clip");
/** They decide whether another property hides anything. */
const conditions = bitsOf("position", "overflow", "padding", "display");

export function readHints({ rules, replace: ofPage, settings, frozen }: WrittenRules): RuleHints {
  const others = settings.length === 0 ? null : valuesOf(settings);
  const letters = new Palette();
  const grounds = new Palette();
  const pageGrounds: Colour[] = [white];
  const hints: number[] = [];
  let counting = alwaysCounting;
  for (const rule of rules) {
    const { text, found, from, to, order, bits } = rule;
    let own = 0;
    const given = rule.usesVariables ? waysOf(rule, ofPage, others) : [ofPage];
    rule.usesVariables = given.length > 1;
    for (const replace of given)
      for (let at = from; at < to; at += foundSize) {
        const set = bitsAt(found, at);
        if ((set & (letterBits | groundBits)) !== 0) {
          for (const declaration of readFound(text, found, at, replace)) {
            if (declaration[1] === "currentcolor" && (set & groundBits) !== 0) own |= hint.clear;
            const colour = noteColour(declaration, order, letters, grounds);
            if (colour && (set & groundBits) !== 0 && isOfPage(rule)) pageGrounds.push(colour);
          }
        } else if (set === movesBit && frozen(text.slice(found[at + 1], found[at + 2]))) own |= hint.trick;
        else if (mayHide(set, text, found[at + 1] as number)) {
          for (const [property, value] of readFound(text, found, at, replace)) own |= hintOf(property, value);
        }
      }
    if ((own & hint.trick) !== 0) counting |= bits | conditions;
    hints.push(own);
  }
  letters.forEach((letter, orders) => {
    const how = hintOfLetters(letter, pageGrounds, grounds);
    for (const order of orders) hints[order] = (hints[order] as number) | how;
  });
  grounds.forEach((ground, orders) => {
    if (!letters.some((letter) => areAlike(letter, ground))) return;
    for (const order of orders) hints[order] = (hints[order] as number) | hint.background;
  });
  return { hints, counting };
}

/** The values that variables have somewhere on the page. */
function valuesOf(settings: WrittenRules["settings"]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { body } of settings) {
    for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]{1,80})\s*:\s*([^;{}]{1,200})/g)) {
      const known = values.get(name) ?? [];
      if (known.length < maxWays && !known.includes(value.trim())) values.set(name, [...known, value.trim()]);
    }
  }
  return values;
}

const maxWays = 4;

/** A variable may have any of its values; one without any may hide. */
function waysOf(
  { text, found, from, to }: WrittenRule,
  ofPage: Replace,
  others: ReadonlyMap<string, string[]> | null,
): Replace[] {
  const written = text.slice(found[from + 1], found[to - 1]);
  const names = Array.from(written.matchAll(variable), ([, name = ""]) => name);
  const count = Math.max(0, ...names.map((name) => others?.get(name)?.length ?? 0));
  const isUnset = names.some((name) => ofPage(`var(${name})`).startsWith("var("));
  if (count === 0 && !isUnset) return [ofPage];
  const way =
    (place: number): Replace =>
    (value) => {
      const own = value.replace(variable, (all, name: string) => others?.get(name)?.[place] ?? all);
      return ofPage(own).replace(variable, "none");
    };
  return [ofPage, ...Array.from({ length: Math.max(1, count) }, (_, place) => way(place))];
}

const variable = /var\(\s*(--[\w-]{1,80})[^()]*\)/g;

/** The colours of a page, each with the rules that have it. */
class Palette {
  private readonly known = new Map<string, { colour: Colour; orders: number[] } | null>();

  add(value: string, order: number): Colour | null {
    let entry = this.known.get(value);
    if (entry === undefined) {
      const colour = this.known.size < maxColours ? colourOf(value) : null;
      entry = colour === null ? null : { colour, orders: [] };
      if (this.known.size < maxColours) this.known.set(value, entry);
    }
    entry?.orders.push(order);
    return entry?.colour ?? null;
  }

  forEach(each: (colour: Colour, orders: readonly number[]) => void): void {
    for (const entry of this.known.values()) if (entry) each(entry.colour, entry.orders);
  }

  some(test: (colour: Colour) => boolean): boolean {
    for (const entry of this.known.values()) if (entry && test(entry.colour)) return true;
    return false;
  }
}

/** The colour of a declaration that paints letters or what is behind them. */
function noteColour([property, value]: Declaration, order: number, letters: Palette, grounds: Palette): Colour | null {
  if (property === "background-color") return value === "transparent" ? null : grounds.add(value, order);
  return property === "background-image" ? null : letters.add(value, order);
}

function isOfPage({ selectors }: WrittenRule): boolean {
  return /^(?::root|html|body)\b/i.test(selectors);
}

function hintOfLetters(letter: Colour, pageGrounds: readonly Colour[], grounds: Palette): number {
  if (letter.alpha < leastAlpha) return hint.clear;
  if (pageGrounds.some((ground) => areAlike(letter, ground))) return hint.pageColour;
  return grounds.some((ground) => ground.alpha > 0 && areAlike(letter, ground)) ? hint.otherColour : 0;
}

/** Of a declaration that paints nothing. */
function hintOf(property: Property, value: string): number {
  if (property === "font-size") return isFontTiny(value) ? hint.small : 0;
  return isHidingValue(property, value) ? hint.trick : 0;
}

/** Of a declaration in a style attribute: its colours are looked at wherever they are. */
export function inlineHint(property: Property, value: string): number {
  if (property === "color" || property === "-webkit-text-fill-color") return hint.pageColour;
  if (property === "background-color") return hint.background;
  const own = hintOf(property, value);
  return own === hint.small ? hint.small | hint.trick : own;
}
