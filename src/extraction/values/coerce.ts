// Text of a page -> a value of the wanted type, or nothing: never a value that the text does not say.

import type { Field } from "../fields/fields.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { keyOf } from "../lexicon/names.ts";
import { isInUnit } from "../lexicon/units.ts";
import type { ScalarType, Wanted } from "../schema/wanted.ts";
import { findDate } from "./dates.ts";
import { currencyCode, findMoney, readAmount, readMinutes, readNumber, readScaled } from "./numbers.ts";
import { findAddress, findEmail, findIsbn, findPhone, hasStreet } from "./patterns.ts";

export interface Reading {
  value: string | number | boolean;
  /** How well the text looks like this kind of value, 0..1. */
  fit: number;
}

const longestText = 300;
const longestLong = 20_000;
const longestName = 120;

/** The value a text gives for a field (for a list, one item of it). */
export function coerce(field: Field, text: string): Reading | null {
  const wanted = field.wanted.kind === "list" && field.wanted.items ? field.wanted.items : field.wanted;
  const clean = tidy(text);
  if (clean === "" || clean.length > longestLong) return null;
  if (wanted.choices) return asChoice(wanted.choices, clean);
  if (allows(wanted, "boolean") && wanted.types.length === 1) return asBoolean(clean);
  const reading = isInUnit(field.wanted.words, clean) ? byKind(field, wanted, clean) : null;
  if (reading === null) return null;
  if (!field.pattern || typeof reading.value !== "string") return asType(reading, wanted);
  // Where values have a known form, another one is rarely right.
  const match = field.pattern.exec(clean);
  if (!match) return asType({ value: reading.value, fit: reading.fit * 0.55 }, wanted);
  return asType({ value: match[1] ?? reading.value, fit: 1 }, wanted);
}

export function tidy(text: string): string {
  return text
    .replace(/[\s\u00a0\u200b\u200e\u200f]+/g, " ")
    .replace(/^[\s:：|•·»\-–—,;]+(?=\S)/, (lead) =>
      /-$/.test(lead) && /^\d/.test(text.slice(lead.length)) ? lead.trim() : "",
    )
    .replace(/[\s|•·«»,;:]+$/, "")
    .trim();
}

function byKind(field: Field, wanted: Wanted, text: string): Reading | null {
  const wantsNumber = !allows(wanted, "string");
  switch (field.kind) {
    case "money": {
      const money = findMoney(text);
      if (wantsNumber) {
        const amount = money ? readAmount(money.text.replace(/[^\d.,'’\s\u00a0\u202f]/g, "").trim()) : readAmount(text);
        if (amount === null || (!money && text.length > 40)) return null;
        return { value: amount, fit: amount === 0 ? 0.4 : money ? 1 : 0.75 };
      }
      return money
        ? { value: money.text, fit: 1 }
        : readNumber(text) !== null && text.length < 40
          ? { value: text, fit: 0.7 }
          : null;
    }
    case "currency": {
      const whole = currencyCode(text);
      if (whole) return { value: whole, fit: 1 };
      const money = findMoney(text);
      const code = money ? currencyCode(money.currency) : null;
      return code ? { value: code, fit: 0.9 } : null;
    }
    case "availability":
      return text.length <= 100 ? { value: text, fit: availabilityOf(text) === null ? 0.5 : 1 } : null;
    case "number":
    case "rating": {
      const number = field.kind === "number" ? readScaled(text) : readNumber(text);
      if (number === null || text.length > 200) return null;
      if (field.kind === "rating" && (number < 0 || number > 100)) return null;
      const fit = /^\D{0,12}[\d.,]+\D{0,20}$/.test(text) ? 1 : 0.7;
      return wantsNumber ? { value: number, fit } : { value: text, fit };
    }
    case "minutes": {
      const minutes = readMinutes(text) ?? (wantsNumber && /^\d{1,4}$/.test(text) ? Number(text) : null);
      if (minutes === null || text.length > 150) return null;
      const inHours = /\bhours?\b/i.test(wanted.description) && !/\bminutes?\b/i.test(wanted.description);
      const value = /\bseconds?\b/i.test(wanted.description) ? minutes * 60 : inHours ? minutes / 60 : minutes;
      return wantsNumber ? { value, fit: 1 } : { value: text, fit: 1 };
    }
    case "date": {
      const date = findDate(text, field.isDayFirst);
      if (!date) return null;
      const isExact = wanted.format === "date" || wanted.format === "date-time";
      if (!isExact)
        return {
          value: /^\d{4}-\d\d-\d\dT/.test(text) && text.length < 40 ? text : date.text,
          fit: text.length < 40 ? 1 : 0.8,
        };
      if (date.iso.length < 10) return null;
      if (wanted.format === "date") return { value: date.iso, fit: 1 };
      const time = /T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/.exec(text)?.[0];
      return { value: `${date.iso}${time ?? "T00:00:00Z"}`, fit: time ? 1 : 0.9 };
    }
    case "phone": {
      // Data says it is one, however its digits are grouped.
      const isNumber = /^\+?[\d\s()./-]{7,25}$/.test(text) && text.replace(/\D/g, "").length >= 7;
      const phone = findPhone(text) ?? (isNumber ? text : null);
      return phone && text.length < 300 ? { value: phone, fit: 1 } : null;
    }
    case "email": {
      const email = findEmail(text);
      return email ? { value: email, fit: 1 } : null;
    }
    case "isbn": {
      const isTen = wanted.words.includes("10") || wanted.words.includes("isbn10");
      const isThirteen = wanted.words.includes("13") || wanted.words.includes("isbn13");
      const isbn = findIsbn(text, isTen ? 10 : isThirteen ? 13 : null);
      return isbn ? { value: isbn, fit: 1 } : null;
    }
    case "gtin": {
      const gtin = /(?<!\d)\d{8}(?:\d{4,6})?(?!\d)/.exec(text.replace(/(?<=\d)[\s-](?=\d)/g, ""))?.[0];
      return gtin && text.length < 60 ? { value: gtin, fit: 1 } : null;
    }
    case "code": {
      if (text.length > 60) return null;
      const code = text.replace(/^#\s*/, "");
      const first = /^(\S*\d\S*\d\S*\d\S*)\s+\D+$/.exec(code)?.[1];
      if (first) return { value: first, fit: 0.9 };
      return { value: code, fit: /\d.*\d/.test(code) && !/\s.*\s/.test(code) ? 1 : 0.5 };
    }
    case "url":
    case "image":
      return /^(?:https?:\/\/|\/|www\.)\S+$|^[\w.-]+\.[a-z]{2,}(?:\/\S*)?$/i.test(text) && !text.includes("@")
        ? { value: text, fit: 1 }
        : null;
    case "address": {
      if (text.length <= 130 && /\d/.test(text) && (hasStreet(text) || /\d{4,5}/.test(text)))
        return { value: text, fit: 1 };
      const address = findAddress(text);
      if (address) return { value: address, fit: 0.9 };
      return text.length <= 200 && /\d/.test(text)
        ? { value: text, fit: 0.6 }
        : text.length <= 100
          ? { value: text, fit: 0.4 }
          : null;
    }
    case "measure":
      return text.length <= 120 && /\d/.test(text) ? { value: text, fit: 1 } : null;
    case "long":
      return { value: text, fit: text.length > 30 ? 1 : 0.6 };
    case "names":
    case "terms":
      return text.length <= longestName ? { value: text, fit: 1 } : { value: text, fit: 0.4 };
    case "title":
      // A number alone names nothing.
      return text.length <= longestText ? { value: text, fit: /\p{L}/u.test(text) ? 1 : 0.3 } : null;
    default:
      return text.length <= longestText ? { value: text, fit: text.length <= 80 ? 1 : 0.8 } : null;
  }
}

function asType({ value, fit }: Reading, wanted: Wanted): Reading | null {
  const { types } = wanted;
  if (types.length === 0) return { value, fit };
  if (typeof value === "number") {
    if (types.includes("number")) return { value, fit };
    if (types.includes("integer"))
      return Number.isInteger(value) ? { value, fit } : { value: Math.round(value), fit: fit * 0.9 };
    return types.includes("string") ? { value: String(value), fit } : null;
  }
  if (types.includes("string")) return { value, fit };
  if (types.includes("number") || types.includes("integer")) {
    const number = readNumber(String(value));
    return number === null ? null : asType({ value: number, fit: fit * 0.9 }, wanted);
  }
  return types.includes("boolean") ? asBoolean(String(value)) : null;
}

function allows(wanted: Wanted, type: ScalarType): boolean {
  return wanted.types.length === 0 ? type === "string" : wanted.types.includes(type);
}

function asBoolean(text: string): Reading | null {
  if (/^(?:yes|true|y|1|ja|oui|s[ií]|si|sim|tak|ano|да|はい|✓|✔)$/i.test(text)) return { value: true, fit: 1 };
  if (/^(?:no|false|n|0|nein|non|n[aã]o|nie|ne|нет|いいえ|✗|✘)$/i.test(text)) return { value: false, fit: 1 };
  const isThere = text.length <= 100 ? availabilityOf(text) : null;
  return isThere === null ? null : { value: isThere, fit: 0.8 };
}

/** The one of the allowed values that a text names, or means by being in stock or not. */
function asChoice(choices: readonly unknown[], text: string): Reading | null {
  const key = keyOf(text.replace(/^https?:\/\/(?:\w+\.)?schema\.org\//, ""));
  const plain = choices.filter((choice): choice is Reading["value"] => typeof choice !== "object");
  const same = plain.find((choice) => keyOf(String(choice)) === key);
  if (same !== undefined) return { value: same, fit: 1 };
  const early = /pre-?order/i.test(text) ? plain.find((choice) => /preorder/.test(keyOf(String(choice)))) : undefined;
  if (early !== undefined) return { value: early, fit: 0.9 };
  const isThere = text.length <= 160 ? availabilityOf(text) : null;
  if (isThere !== null) {
    const meaning = plain.find((choice) => availabilityOf(spaced(String(choice))) === isThere);
    if (meaning !== undefined) return { value: meaning, fit: 0.9 };
  }
  if (text.length > 80) return null;
  const named = plain.filter((choice) => {
    const wanted = keyOf(String(choice));
    return wanted.length > 2 && key.includes(wanted);
  });
  return named.length === 1 ? { value: named[0] as Reading["value"], fit: 0.7 } : null;
}

function spaced(choice: string): string {
  return choice.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
