// Text of a page -> a value of the wanted type, or nothing: never a value that the text does not say.

import type { WantedField } from "../fields/wanted-fields.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { keyOf } from "../lexicon/names.ts";
import { isInUnit } from "../lexicon/units.ts";
import type { ScalarType, Wanted } from "../schema/wanted.ts";
import { findDate } from "./dates.ts";
import { currencyCode, findMoney, readAmount, readMinutes, readNumber, readScaled } from "./numbers.ts";
import { findAddress, findEmail, findIsbn, findPhone, hasStreet } from "./value-patterns.ts";

export interface Reading {
  value: string | number | boolean;
  /** How well the text looks like this kind of value, 0..1. */
  fit: number;
}

const longestText = 300;
const longestLong = 20_000;
const longestName = 120;

/** How well a text fits as a value, where 1 is a value as it should be (docs/decisions/0010-extraction-weights.md). */
const fits = {
  /** Not of the form that the field's values have. */
  otherForm: 0.55,
  /** Found within a longer text, or with a part of it made up, such as the time of a day. */
  inText: 0.9,
  numberInText: 0.7,
  dateInText: 0.8,
  /** Of another type than the schema wants. */
  converted: 0.9,
  /** A price of nothing, and amounts without a currency. */
  nothing: 0.4,
  bareAmount: 0.75,
  bareText: 0.7,
  /** Words that tell no state of availability. */
  unknownState: 0.5,
  /** A code of words. */
  wordsForCode: 0.5,
  /** What may be a postal address: with a number in it, and any short text. */
  addressWithNumber: 0.6,
  addressAtMost: 0.4,
  /** Texts of the wrong length, and a title without a letter. */
  shortForLong: 0.6,
  longForName: 0.4,
  longText: 0.8,
  titleWithoutLetter: 0.3,
  /** Yes, no or a choice that is meant rather than written, and a choice that is named among other words. */
  meantBoolean: 0.8,
  meantChoice: 0.9,
  namedChoice: 0.7,
};

/** The value a text gives for a field (for a list, one item of it). */
export function coerce(field: WantedField, text: string): Reading | null {
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
  if (!match) return asType({ value: reading.value, fit: reading.fit * fits.otherForm }, wanted);
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

type ReadKind = (text: string, wanted: Wanted, field: WantedField) => Reading | null;

function byKind(field: WantedField, wanted: Wanted, text: string): Reading | null {
  return (readers[field.kind] ?? readPlain)(text, wanted, field);
}

const readPlain: ReadKind = (text) =>
  text.length <= longestText ? { value: text, fit: text.length <= 80 ? 1 : fits.longText } : null;

const readTerm: ReadKind = (text) => ({ value: text, fit: text.length <= longestName ? 1 : fits.longForName });

const readUrl: ReadKind = (text) =>
  /^(?:https?:\/\/|\/|www\.)\S+$|^[\w.-]+\.[a-z]{2,}(?:\/\S*)?$/i.test(text) && !text.includes("@")
    ? { value: text, fit: 1 }
    : null;

const readCount: ReadKind = (text, wanted, { kind }) => {
  const number = kind === "number" ? readScaled(text) : readNumber(text);
  if (number === null || text.length > 200) return null;
  if (kind === "rating" && (number < 0 || number > 100)) return null;
  const fit = /^\D{0,12}[\d.,]+\D{0,20}$/.test(text) ? 1 : fits.numberInText;
  return { value: allows(wanted, "string") ? text : number, fit };
};

const readers: Partial<Record<WantedField["kind"], ReadKind>> = {
  money(text, wanted) {
    const money = findMoney(text);
    if (!allows(wanted, "string")) {
      const amount = money ? readAmount(money.text.replace(/[^\d.,'’\s\u00a0\u202f]/g, "").trim()) : readAmount(text);
      if (amount === null || (!money && text.length > 40)) return null;
      return { value: amount, fit: amount === 0 ? fits.nothing : money ? 1 : fits.bareAmount };
    }
    if (money) return { value: money.text, fit: 1 };
    return readNumber(text) !== null && text.length < 40 ? { value: text, fit: fits.bareText } : null;
  },
  currency(text) {
    const whole = currencyCode(text);
    if (whole) return { value: whole, fit: 1 };
    const code = currencyCode(findMoney(text)?.currency ?? "");
    return code ? { value: code, fit: fits.inText } : null;
  },
  availability: (text) =>
    text.length <= 100 ? { value: text, fit: availabilityOf(text) === null ? fits.unknownState : 1 } : null,
  number: readCount,
  rating: readCount,
  minutes(text, wanted) {
    const wantsNumber = !allows(wanted, "string");
    const minutes = readMinutes(text) ?? (wantsNumber && /^\d{1,4}$/.test(text) ? Number(text) : null);
    if (minutes === null || text.length > 150) return null;
    const inHours = /\bhours?\b/i.test(wanted.description) && !/\bminutes?\b/i.test(wanted.description);
    const value = /\bseconds?\b/i.test(wanted.description) ? minutes * 60 : inHours ? minutes / 60 : minutes;
    return { value: wantsNumber ? value : text, fit: 1 };
  },
  date(text, wanted, field) {
    const date = findDate(text, field.isDayFirst);
    if (!date) return null;
    if (wanted.format !== "date" && wanted.format !== "date-time") {
      const value = /^\d{4}-\d\d-\d\dT/.test(text) && text.length < 40 ? text : date.text;
      return { value, fit: text.length < 40 ? 1 : fits.dateInText };
    }
    if (date.iso.length < 10) return null;
    if (wanted.format === "date") return { value: date.iso, fit: 1 };
    const time = /T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/.exec(text)?.[0];
    return { value: `${date.iso}${time ?? "T00:00:00Z"}`, fit: time ? 1 : fits.inText };
  },
  phone(text) {
    // Structured data may group the digits in any way.
    const isNumber = /^\+?[\d\s()./-]{7,25}$/.test(text) && text.replace(/\D/g, "").length >= 7;
    const phone = findPhone(text) ?? (isNumber ? text : null);
    return phone && text.length < 300 ? { value: phone, fit: 1 } : null;
  },
  email(text) {
    const email = findEmail(text);
    return email ? { value: email, fit: 1 } : null;
  },
  isbn(text, { words }) {
    const isTen = words.includes("10") || words.includes("isbn10");
    const isThirteen = words.includes("13") || words.includes("isbn13");
    const isbn = findIsbn(text, isTen ? 10 : isThirteen ? 13 : null);
    return isbn ? { value: isbn, fit: 1 } : null;
  },
  gtin(text) {
    const gtin = /(?<!\d)\d{8}(?:\d{4,6})?(?!\d)/.exec(text.replace(/(?<=\d)[\s-](?=\d)/g, ""))?.[0];
    return gtin && text.length < 60 ? { value: gtin, fit: 1 } : null;
  },
  code(text) {
    if (text.length > 60) return null;
    const code = text.replace(/^#\s*/, "");
    const first = /^(\S*\d\S*\d\S*\d\S*)\s+\D+$/.exec(code)?.[1];
    if (first) return { value: first, fit: fits.inText };
    return { value: code, fit: /\d.*\d/.test(code) && !/\s.*\s/.test(code) ? 1 : fits.wordsForCode };
  },
  url: readUrl,
  image: readUrl,
  address(text) {
    const hasNumber = /\d/.test(text);
    if (text.length <= 130 && hasNumber && (hasStreet(text) || /\d{4,5}/.test(text))) return { value: text, fit: 1 };
    const address = findAddress(text);
    if (address) return { value: address, fit: fits.inText };
    if (text.length <= 200 && hasNumber) return { value: text, fit: fits.addressWithNumber };
    return text.length <= 100 ? { value: text, fit: fits.addressAtMost } : null;
  },
  measure: (text) => (text.length <= 120 && /\d/.test(text) ? { value: text, fit: 1 } : null),
  long: (text) => ({ value: text, fit: text.length > 30 ? 1 : fits.shortForLong }),
  // Data often names a person by the URL of another page's data.
  names: (text, ...more) => (/^https?:\/\/\S+$/i.test(text) ? null : readTerm(text, ...more)),
  terms: readTerm,
  // A number alone is not a name.
  title: (text) =>
    text.length <= longestText ? { value: text, fit: /\p{L}/u.test(text) ? 1 : fits.titleWithoutLetter } : null,
};

function asType({ value, fit }: Reading, wanted: Wanted): Reading | null {
  const { types } = wanted;
  if (types.length === 0) return { value, fit };
  if (typeof value === "number") {
    if (types.includes("number")) return { value, fit };
    if (types.includes("integer"))
      return Number.isInteger(value) ? { value, fit } : { value: Math.round(value), fit: fit * fits.converted };
    return types.includes("string") ? { value: String(value), fit } : null;
  }
  if (types.includes("string")) return { value, fit };
  if (types.includes("number") || types.includes("integer")) {
    const number = readNumber(String(value));
    return number === null ? null : asType({ value: number, fit: fit * fits.converted }, wanted);
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
  return isThere === null ? null : { value: isThere, fit: fits.meantBoolean };
}

/** The one of the allowed values that a text names, or means by being in stock or not. */
function asChoice(choices: readonly unknown[], text: string): Reading | null {
  const key = keyOf(text.replace(/^https?:\/\/(?:\w+\.)?schema\.org\//, ""));
  const plain = choices.filter((choice): choice is Reading["value"] => typeof choice !== "object");
  const same = plain.find((choice) => keyOf(String(choice)) === key);
  if (same !== undefined) return { value: same, fit: 1 };
  const early = /pre-?order/i.test(text) ? plain.find((choice) => /preorder/.test(keyOf(String(choice)))) : undefined;
  if (early !== undefined) return { value: early, fit: fits.meantChoice };
  const isThere = text.length <= 160 ? availabilityOf(text) : null;
  if (isThere !== null) {
    const meaning = plain.find((choice) => availabilityOf(spaced(String(choice))) === isThere);
    if (meaning !== undefined) return { value: meaning, fit: fits.meantChoice };
  }
  if (text.length > 80) return null;
  const named = plain.filter((choice) => {
    const wanted = keyOf(String(choice));
    return wanted.length > 2 && key.includes(wanted);
  });
  return named.length === 1 ? { value: named[0] as Reading["value"], fit: fits.namedChoice } : null;
}

function spaced(choice: string): string {
  return choice.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
