// The check digits of numbers that name a person or an account. They tell such a number from any other of its length.
import stored from "./personal-data.json" with { type: "json" };

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

const ibanLengths: Readonly<Record<string, number>> = stored.ibanLengths;

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

/** Multiplies two elements of the dihedral group of ten: turns of a pentagon (0-4) and mirrorings (5-9). */
function multiply(one: number, other: number): number {
  const turned = one < 5 ? one + other : one - other + 5;
  return (turned % 5) + (one < 5 === other < 5 ? 0 : 5);
}

const shuffled = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** India: Verhoeff's scheme, in which each digit is shuffled as often as its place says. */
export function isAadhaar(text: string): boolean {
  const product = digitsOf(text)
    .reverse()
    .reduce((sum, digit, place) => {
      let own = digit;
      for (let times = 0; times < place % 8; times += 1) own = shuffled[own] as number;
      return multiply(sum, own);
    }, 0);
  return product === 0;
}
