// Values that show by their form alone what they are.
import streetWords from "./street-words.json" with { type: "json" };

const phone =
  /(?:tel:)?(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,5}\)|\d{2,5})[\s./-]{0,2}\d{2,4}[\s.-]\d{2,4}(?:[\s.-]\d{2,4})?(?:\s*(?:x|ext\.?)\s*\d{1,5})?(?!\d)|\+\d{8,14}(?!\d)|(?<!\d)\d{10}(?!\d)/i;
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,24}\b/i;

/** The first telephone number in a text, as written. */
export function findPhone(text: string): string | null {
  const found = phone.exec(text.slice(0, 2000))?.[0].trim();
  if (!found) return null;
  const digits = found.replace(/\D/g, "").length;
  return digits >= 7 && digits <= 17 ? found.replace(/^tel:/i, "") : null;
}

export function findEmail(text: string): string | null {
  return email.exec(text.slice(0, 5000))?.[0] ?? null;
}

/** An ISBN of this length (of either when null) whose check digit is right, without hyphens. */
export function findIsbn(text: string, length: 10 | 13 | null): string | null {
  for (const [found] of text
    .slice(0, 2000)
    .matchAll(/(?<![\d-])(?:97[89][\s-]?)?\d(?:[\s-]?\d){8}[\s-]?[\dX](?![\dX])/gi)) {
    const digits = found.replace(/[\s-]/g, "").toUpperCase();
    if ((length === null || digits.length === length) && isIsbn(digits)) return digits;
  }
  return null;
}

function isIsbn(digits: string): boolean {
  let sum = 0;
  if (digits.length === 13) {
    for (let place = 0; place < 13; place += 1) sum += Number(digits[place]) * (place % 2 === 0 ? 1 : 3);
    return sum % 10 === 0;
  }
  for (let place = 0; place < 10; place += 1)
    sum += (digits[place] === "X" ? 10 : Number(digits[place])) * (10 - place);
  return digits.length === 10 && sum % 11 === 0;
}

const street = `(?:${streetWords.join("|")})`;
const americanAddress = new RegExp(
  String.raw`(?<![\d$.,])\d{1,6}(?:-\d{1,5})?[A-Z]?\s+(?:[\p{L}\d'.#&-]+\s+){0,5}?${street}(?![\p{L}])[^\n]{0,80}?,?\s+(?:[A-Z]{2})\.?(?:,?\s+\d{5}(?:-\d{4})?)?(?![\p{L}\d])`,
  "iu",
);
const streetOnly = new RegExp(
  String.raw`(?<![\d$.,])\d{1,6}(?:-\d{1,5})?[A-Z]?\s+(?:[\p{L}\d'.#&-]+\s+){0,5}?${street}(?![\p{L}])`,
  "iu",
);
const europeanAddress =
  /[\p{Lu}][\p{L}.'\s-]{2,40}\s\d{1,5}\s?[a-z]?,?\s+(?:[A-Z]{1,2}-)?\d{4,5}\s+[\p{Lu}][\p{L}.'-]{2,30}(?:\s[\p{Lu}][\p{L}.'-]+)?/u;

/** The first postal address of a text. */
export function findAddress(text: string): string | null {
  const part = text.slice(0, 500);
  const american = americanAddress.exec(part)?.[0];
  // A state is two capital letters: "St. Send to" is not an address.
  if (american && /\b[A-Z]{2}\.?(?:,?\s+\d{5}(?:-\d{4})?)?$/.test(american.trim())) return american.trim();
  return europeanAddress.exec(part)?.[0].trim() ?? null;
}

/** "Dallas, TX 75205", "80331 München". */
export const cityWithCode =
  /\p{Lu}[\p{L}.' -]{2,30},?\s+[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?$|^(?:[A-Z]{1,2}-)?\d{5}\s+\p{Lu}[\p{L}' -]{2,30}$|^,?\s*\p{Lu}[\p{L}.' -]{2,30},\s+[A-Z]{2}$|^\p{Lu}[\p{L} ]+\s+[A-Z]{1,2}\d[\dA-Z]?\s\d[A-Z]{2}$/u;

export function hasStreet(text: string): boolean {
  return streetOnly.test(text.slice(0, 300));
}
