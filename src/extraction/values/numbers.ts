// Numbers, money and durations as pages write them.
import currencies from "./currencies.json" with { type: "json" };

export interface Money {
  amount: number;
  /** Sign or code as written; "" without one. */
  currency: string;
  text: string;
}

/** Alternatives of a pattern, longer ones first where one begins like another. */
const sign = currencies.signs.join("|");
const code = currencies.codes.join("|");
const digits = String.raw`\d{1,3}(?:[.,\u00a0\u202f '’]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,3})?(?!\d)`;
const before = new RegExp(String.raw`(${sign}|\b(?:${code})\b)\s{0,3}(${digits})(?:,[-–—])?`, "iu");
const after = new RegExp(String.raw`(${digits})(?:,[-–—])?\s{0,3}(${sign}(?![\p{L}\p{N}])|(?:${code})\b)`, "iu");
const bareNumber = new RegExp(`-?(?:${digits})`, "u");

/** The first amount with a currency. */
export function findMoney(text: string): Money | null {
  const one = before.exec(text);
  const other = after.exec(text);
  // "$ 5 EUR" does not happen; what begins first is meant.
  const isFirst = one && (!other || one.index <= other.index);
  const [match, currency, written] = isFirst ? [one[0], one[1], one[2]] : other ? [other[0], other[2], other[1]] : [];
  if (match === undefined || written === undefined) return null;
  const amount = readNumber(written);
  return amount === null ? null : { amount, currency: (currency ?? "").trim(), text: match };
}

const startNumber = new RegExp(`^(?:${digits})(?![%°\\p{L}])`, "u");
const endNumber = new RegExp(`(?<![\\d.,%\\p{L}])(?:${digits})(?=\\s{1,2}$)`, "u");

/** A number by which a text begins, when it is no part of something else. */
export function numberAtStart(text: string): string | null {
  return startNumber.exec(text)?.[0] ?? null;
}

/** A number by which a text ends. */
export function numberAtEnd(text: string): string | null {
  return endNumber.exec(text.slice(-40))?.[0] ?? null;
}

/** The first number in a text. Separators of thousands and decimals are told apart by position. */
export function readNumber(text: string): number | null {
  const written = bareNumber.exec(text.replace(/[½¼¾⅓⅔]/g, (one) => fractions[one] ?? one))?.[0];
  if (written === undefined) return null;
  let plain = written.replace(/[\s\u00a0\u202f'’]/g, "");
  const comma = plain.lastIndexOf(",");
  const point = plain.lastIndexOf(".");
  if (comma >= 0 && point >= 0) {
    plain = comma > point ? plain.replaceAll(".", "").replace(",", ".") : plain.replaceAll(",", "");
  } else if (comma >= 0) {
    plain = /^-?\d+,\d{1,2}$/.test(plain) ? plain.replace(",", ".") : plain.replaceAll(",", "");
  } else if (/^-?\d{1,3}(?:\.\d{3}){2,}$/.test(plain)) plain = plain.replaceAll(".", "");
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}

const scales: readonly [RegExp, number][] = [
  [/^k(?![\p{L}\d])/iu, 1e3],
  [/^M(?![\p{L}\d])/u, 1e6],
  [/^\s?(?:million(?:s|en)?|millones|milioni|mio\.?|mln\.?)(?!\p{L})/iu, 1e6],
  [/^\s?(?:billions?|milliarden?|mrd\.?)(?!\p{L})/iu, 1e9],
];

/** The first number in a text with its multiplier: "1.2k", "3.4 million". */
export function readScaled(text: string): number | null {
  const number = readNumber(text);
  const written = bareNumber.exec(text);
  if (number === null || !written) return number;
  const behind = text.slice(written.index + written[0].length);
  const [, scale = 1] = scales.find(([sign]) => sign.test(behind)) ?? [];
  return Math.round(number * scale * 1000) / 1000 === number ? number : Math.round(number * scale);
}

/** An amount in a text about money: "1.299" is a thousand there. */
export function readAmount(text: string): number | null {
  const thousands = /^\D{0,8}(\d{1,3})\.(\d{3})(?!\d)(?![.,]\d)/.exec(text);
  if (thousands) return Number(`${thousands[1]}${thousands[2]}`);
  return readNumber(text);
}

const fractions: Record<string, string> = { "½": ".5", "¼": ".25", "¾": ".75", "⅓": ".33", "⅔": ".67" };

const isoDuration = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const hour = String.raw`(?:hours?|hrs?|h|std\.?|stunden?|heures?|horas?|hora|ore|ora|uur|uren|godz\.?|godziny?|hod\.?|hodin\w*|часов|часа|час|ч|timer?|tim|timmar|tuntia?|saat|ora|ore|時間|시간)`;
const minute = String.raw`(?:minutes?|mins?|min\.|m|minuten|minutos?|minuti|minuto|minut\w*|мин\.?|минут\w*|minutter|minuuttia|dakika|dk|perc|分|분)`;
const day = `(?:days?|tage?|jours?|d[ií]as?|giorni|dagen|dni|дней|дня)`;
const amount = String.raw`(\d+(?:[.,]\d+)?|\d+\s\d\/\d|\d\/\d)`;
const range = String.raw`(?:\s*(?:-|–|to|bis|a|à)\s*\d+(?:[.,]\d+)?)?`;
const inDays = new RegExp(String.raw`${amount}${range}\s*${day}(?![\p{L}])`, "iu");
const inHours = new RegExp(String.raw`${amount}${range}\s*${hour}(?![\p{L}])`, "iu");
const inMinutes = new RegExp(String.raw`${amount}${range}\s*${minute}(?![\p{L}])`, "iu");

/** Minutes of a duration with units, or null: "1 h 20 min", "PT1H20M", "1:20". */
export function readMinutes(text: string): number | null {
  const written = text.trim();
  const iso = isoDuration.exec(written);
  if (iso && written.length > 1) {
    const [, days, hours, minutes, seconds] = iso.map((part) => Number(part ?? 0));
    return (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0) + Math.round((seconds ?? 0) / 60);
  }
  const plain = written
    .replace(/(\d)\s*([½¼¾])/g, (_, whole, part) => `${whole}${fractions[part]}`)
    .replace(/½/g, "0.5");
  const clock = /^(\d{1,2}):(\d{2})(?::\d{2})?(?:\s*h)?$/.exec(plain);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const days = inDays.exec(plain)?.[1];
  const hours = inHours.exec(plain)?.[1];
  const joined = /\d\s*h\s*(\d{1,2})(?!\d|\s*[\p{L}])/iu.exec(plain)?.[1];
  const minutes = inMinutes.exec(plain)?.[1] ?? joined;
  if (!days && !hours && !minutes) return null;
  return Math.round(parts(days) * 1440 + parts(hours) * 60 + parts(minutes));
}

function parts(written: string | undefined): number {
  if (!written) return 0;
  const [whole, part] = written.includes(" ")
    ? written.split(" ")
    : written.includes("/")
      ? ["0", written]
      : [written, undefined];
  const [over, under] = (part ?? "0/1").split("/").map(Number);
  return Number((whole ?? "0").replace(",", ".")) + (over ?? 0) / (under || 1);
}

const codesOfSigns: Readonly<Record<string, string>> = currencies.codesOfSigns;

/** ISO 4217 code of a sign, or of a code. Signs that several currencies share are read as the most used one. */
export function currencyCode(written: string): string | null {
  const text = written.trim();
  if (/^[A-Z]{3}$/.test(text)) return text;
  return (
    codesOfSigns[text.toLowerCase().replace(/\.$/, "")] ??
    (new RegExp(`^(?:${code})$`, "i").test(text) ? text.toUpperCase() : null)
  );
}
