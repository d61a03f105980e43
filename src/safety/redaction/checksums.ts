// The check digits of numbers that name a person or an account. They tell such a number from any other of its length.

const digitsOf = (text: string) => Array.from(text.replace(/\D/g, ""), Number);

function weighted(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits[place] as number), 0);
}

/** Cards, and numbers of persons in Sweden. */
export function isLuhn(text: string): boolean {
  const digits = digitsOf(text).reverse();
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

const ibanLengths: Record<string, number> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 " +
    "GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 " +
    "MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
  )
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, "");
  if (ibanLengths[iban.slice(0, 2)] !== iban.length) return false;
  let rest = 0;
  for (const letter of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Poland. */
export function isPesel(text: string): boolean {
  const digits = digitsOf(text);
  const month = ((digits[2] as number) % 2) * 10 + (digits[3] as number);
  if (digits.length !== 11 || month < 1 || month > 12) return false;
  return (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === digits[10];
}

/** Germany's tax number: one digit occurs twice or three times among the first ten. */
export function isGermanTaxId(text: string): boolean {
  const digits = digitsOf(text);
  if (digits.length !== 11 || digits[0] === 0 || ![8, 9].includes(new Set(digits.slice(0, 10)).size)) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits[10];
}

/** France. */
export function isFrenchNir(text: string): boolean {
  const nir = text
    .replace(/\s/g, "")
    .replace(/^(.{5})2A/, "$119")
    .replace(/^(.{5})2B/, "$118");
  return /^\d{15}$/.test(nir) && 97 - Number(BigInt(nir.slice(0, 13)) % 97n) === Number(nir.slice(13));
}

/** Spain, of residents and of foreigners. */
export function isSpanishId(text: string): boolean {
  const id = text.replace(/[\s.-]/g, "").toUpperCase();
  const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter))));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] === id.at(-1);
}

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italy. */
export function isFiscalCode(text: string): boolean {
  const code = text.toUpperCase();
  const sum = Array.from(code.slice(0, 15)).reduce((total, letter, place) => {
    const value = /\d/.test(letter) ? Number(letter) : letter.charCodeAt(0) - 65;
    return total + (place % 2 === 0 ? (oddValues[value] as number) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === code[15];
}

/** Brazil. */
export function isCpf(text: string): boolean {
  const digits = digitsOf(text);
  if (digits.length !== 11 || new Set(digits).size === 1) return false;
  const check = (count: number) => {
    const sum = digits.slice(0, count).reduce((total, digit, place) => total + digit * (count + 1 - place), 0);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === digits[9] && check(10) === digits[10];
}

/** China. */
export function isChineseId(text: string): boolean {
  const sum = weighted(digitsOf(text), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return "10X98765432"[sum % 11] === text.toUpperCase()[17];
}

/** The United Kingdom's health service. */
export function isNhsNumber(text: string): boolean {
  const digits = digitsOf(text);
  const check = 11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (check === 11 ? 0 : check) === digits[9];
}

/** The Netherlands. */
export function isBsn(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === 9 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

const turns = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
];
const swaps = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
];

/** India (Verhoeff). */
export function isAadhaar(text: string): boolean {
  const digits = digitsOf(text).reverse();
  return digits.reduce((sum, digit, place) => turns[sum]?.[swaps[place % 8]?.[digit] as number] as number, 0) === 0;
}
