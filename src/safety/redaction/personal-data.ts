// What names a person, reaches one or opens an account, as patterns. Repetitions are bounded, so the cost grows with the text;
// numbers that have check digits must have the right ones.
import {
  isAadhaar,
  isBsn,
  isChineseId,
  isCpf,
  isFiscalCode,
  isFrenchNir,
  isGermanTaxId,
  isIban,
  isLuhn,
  isNhsNumber,
  isPesel,
  isSpanishId,
} from "./checksums.ts";

export type PersonalKind = "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET";

export interface PersonalPattern {
  kind: PersonalKind;
  /** Global. */
  pattern: RegExp;
  isRight?(match: string, before: string): boolean;
  /** Also inside a URL. */
  inUrls?: boolean;
  /** Only when everything that may be one is to go. */
  isLoose?: boolean;
}

const fileNames = /\.(?:png|jpe?g|gif|webp|svg|avif|css|js|mjs|json|html?|php)$/i;
const noDigitBefore = String.raw`(?<![\d\p{L}+./_#=-])`;
const noDigitAfter = String.raw`(?![\d\p{L}_-]|[.,/]\d)`;
const number = (source: string) => new RegExp(`${noDigitBefore}${source}${noDigitAfter}`, "gu");
const digitCount = (text: string) => text.replace(/\D/g, "").length;

/** By the lengths that the issuers give out. */
const cardNumber = /^(?:4(?:\d{12}|\d{15}|\d{18})|5\d{15}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18})$/;

/** Codes of countries and regions, without the +. */
const callingCodes =
  /^(?:1|7|2[07]|2[1-689]\d|3[0123469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[058]\d|9[0-58]|9[679]\d)/;

/** What says that a number is another one than a phone's. */
const otherNumbers =
  /(?<!\p{L})(?:isbn|issn|sku|doi|serial|imei|ean|gtin|upc|(?:bestell|rechnungs|artikel|kunden|auftrags|serien|konto|steuer|vorgangs)(?:nummer|nr)|(?:order|invoice|ref|reference|item|article|art|vat|account|acct|id|part|model|patent|case|ticket|version|commande|facture|pedido|factura|ordine|fattura|zamówieni\p{L}{1,3}|faktur\p{L}{1,3}|заказ\p{L}{0,3})\s{0,2}(?:no|nr|num|number|id|code|n)?\s{0,2}[.:#№°º])\W{0,4}$|(?:注文番号|订单号|주문번호)\W{0,4}$/iu;

export function isNamedOtherwise(before: string): boolean {
  return otherNumbers.test(before);
}

const isPhone = (_match: string, before: string) => !isNamedOtherwise(before);

const phones: PersonalPattern[] = [
  {
    kind: "PHONE",
    pattern: /(?<![\d\p{L}+])(?:\+|(?<!\d )00)[1-9]\d{0,2}(?:[ .\-/]{0,2}\(?\d{1,5}\)?){2,7}(?![\d\p{L}])/gu,
    isRight: (match) => {
      const plain = match.replace(/^00/, "+").replace(/\(0\)/, "").replace(/\D/g, "");
      return plain.length >= 8 && plain.length <= 15 && callingCodes.test(plain);
    },
  },
  {
    kind: "PHONE",
    pattern:
      /(?<=\bwa\.me\/|[?&](?:phone|phone_?number|tel|telephone|telefon|mobile|cell|whatsapp|msisdn)=)(?:\+|%2B)?\d{7,15}(?!\d)/gi,
    inUrls: true,
  },
  // United States and Canada, United Kingdom, Germany, France, Spain, Brazil, Japan, China, India, Australia, Italy.
  {
    kind: "PHONE",
    pattern: number(String.raw`(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-. ]\d{4}`),
    isRight: isPhone,
  },
  {
    kind: "PHONE",
    pattern: number(
      String.raw`\(?0(?:[127]\d{3}\)? \d{6}|2\d\)? \d{4} \d{4}|1\d{2}\)? \d{3} \d{4}|7\d{3} \d{3} \d{3})`,
    ),
  },
  {
    kind: "PHONE",
    pattern: number(String.raw`\(?0[1-9]\d{1,4}\)? ?(?:[/-] ?)\d{3,8}(?:[ -]\d{1,5})?`),
    isRight: isPhone,
  },
  { kind: "PHONE", pattern: number(String.raw`0[1-9](?:[ .]\d{2}){4}`), isRight: isPhone },
  { kind: "PHONE", pattern: number(String.raw`[6-9]\d{2} \d{3} \d{3}`), isRight: isPhone, isLoose: true },
  { kind: "PHONE", pattern: number(String.raw`\(\d{2}\) ?9?\d{4}-\d{4}`), isRight: isPhone },
  { kind: "PHONE", pattern: number(String.raw`0[1-9]\d{0,2}-\d{2,4}-\d{4}`), isRight: isPhone },
  { kind: "PHONE", pattern: number(String.raw`1[3-9]\d[ -]?\d{4}[ -]?\d{4}`), isRight: isPhone },
  { kind: "PHONE", pattern: number(String.raw`0?[6-9]\d{4}[ -]\d{5}`), isRight: isPhone },
  { kind: "PHONE", pattern: number(String.raw`(?:04\d{2} \d{3} \d{3}|\(0[2378]\) \d{4} \d{4})`), isRight: isPhone },
  {
    kind: "PHONE",
    pattern:
      /(?<=(?:\b(?:tel|telefon|telephone|phone|fax|mobile?|cell|call|handy|tél|teléfono|telefone|whatsapp)\b\.?|电话|電話|тел\.?)[:\s：]{1,3})\(?\d[\d ().\-/]{5,18}\d/giu,
    isRight: (match) => digitCount(match) >= 6 && digitCount(match) <= 15,
  },
  {
    kind: "PHONE",
    pattern: number(String.raw`\d{2,5}(?:[ -]\d{2,5}){2,4}`),
    isLoose: true,
    isRight: (match) => digitCount(match) >= 8 && digitCount(match) <= 12 && !/^(?:19|20)\d\d-/.test(match),
  },
];

const identities: PersonalPattern[] = [
  { kind: "SECRET", pattern: number(String.raw`(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}`) },
  { kind: "SECRET", pattern: /\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g },
  { kind: "SECRET", pattern: number(String.raw`[1-9]\d{2}[ -]\d{3}[ -]\d{4}`), isRight: isNhsNumber },
  {
    kind: "SECRET",
    pattern: number(String.raw`[1-9]\d(?: ?\d{3}){3}`),
    isRight: (match) => isGermanTaxId(match) || (!match.includes(" ") && isPesel(match)),
  },
  { kind: "SECRET", pattern: number(String.raw`0\d{10}`), isRight: isPesel },
  {
    kind: "SECRET",
    pattern: number(String.raw`[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}`),
    isRight: isFrenchNir,
  },
  {
    kind: "SECRET",
    pattern: /(?<![\w.])(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})[- ]?[A-HJ-NP-TV-Z](?!\w)/g,
    isRight: isSpanishId,
  },
  { kind: "SECRET", pattern: /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/gi, isRight: isFiscalCode },
  { kind: "SECRET", pattern: number(String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`), isRight: isCpf },
  { kind: "SECRET", pattern: /(?:CPF|PESEL)\W{0,3}\d{11}(?!\d)/gi, isRight: (match) => isCpf(match) || isPesel(match) },
  {
    kind: "SECRET",
    pattern: number(String.raw`[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dX]`),
    isRight: isChineseId,
  },
  { kind: "SECRET", pattern: number(String.raw`[2-9]\d{3}[ -]\d{4}[ -]\d{4}`), isRight: isAadhaar },
  { kind: "SECRET", pattern: number(String.raw`\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[-+]\d{4}`), isRight: isLuhn },
  { kind: "SECRET", pattern: /(?:BSN|burgerservicenummer)\W{0,3}\d{4}[. ]?\d{2}[. ]?\d{3}(?!\d)/gi, isRight: isBsn },
];

const secrets: PersonalPattern[] = [
  {
    kind: "SECRET",
    pattern: /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s]{1,8000}-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
    inUrls: true,
  },
  { kind: "SECRET", pattern: /\beyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{10,1000}/g, inUrls: true },
  { kind: "SECRET", pattern: /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{20,200}/g, inUrls: true },
  {
    kind: "SECRET",
    pattern:
      /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|xox[abprs]-[A-Za-z0-9-]{10,200}|glpat-[\w-]{20})/g,
    inUrls: true,
  },
  {
    kind: "SECRET",
    pattern:
      /(?<=\b(?:password|passwort|passwd|pwd|contraseña|mot de passe|senha|api[_ -]?key|secret[_ -]?key|access[_ -]?token)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"'<>,;*[\]{}]{6,200}/giu,
  },
];

const networks: PersonalPattern[] = [
  {
    kind: "LOCATION",
    pattern: /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w]|\.\d)/g,
    isRight: (_, before) => !/(?:\bv|version|release|firmware)[\s:]{0,2}$/i.test(before),
  },
  {
    kind: "LOCATION",
    pattern: /(?<![\w:.])(?:[\dA-Fa-f]{1,4}:){2,7}(?::|[\dA-Fa-f]{1,4})(?::?[\dA-Fa-f]{1,4}){0,6}(?![\w:])/g,
    isRight: (match) => {
      const groups = match.split(":");
      return match.includes("::") ? groups.length <= 8 && /[A-Fa-f]/.test(match) : groups.length === 8;
    },
  },
  { kind: "LOCATION", pattern: /(?<![\w:-])[\dA-Fa-f]{2}(?:([:-])[\dA-Fa-f]{2})(?:\1[\dA-Fa-f]{2}){4}(?![\w:-])/g },
];

const word = String.raw`\p{Lu}[\p{L}'’.-]{0,30}`;
const streets: PersonalPattern[] = [
  new RegExp(
    String.raw`(?<![\d.,])\d{1,5}[A-Za-z]? (?:[NSEW]\.? )?(?:(?:${word}|\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Terrace|Crescent|Parkway|Pkwy|Highway|Hwy)\b\.?(?:,? (?:Apt|Suite|Ste|Unit)\.? ?#?\w{1,6})?`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:${word} )?\p{Lu}[\p{L}-]{1,30}(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|straat|laan|plein|gracht) \d{1,4} ?[a-z]?(?![\p{L}\d])`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\d)\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|place|chemin|allée|impasse|quai) (?:(?:de|du|des|la|le|les|d[’']|l[’'])[ ]?){0,3}${word}(?: ${word}){0,3}`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:Calle|C/|Avenida|Avda\.|Av\.|Plaza|Paseo|Rua|Travessa|Via|Viale|Piazza|Corso|Largo) (?:(?:de|del|da|do|dos|la|las|los|di|della)[ ]){0,3}${word}(?: (?:(?:de|del|da|do|di) )?${word}){0,3},? (?:n[.º°]{0,2} ?)?\d{1,5}(?!\d)`,
    "gu",
  ),
].map((pattern) => ({ kind: "LOCATION", pattern }) as const);

export const personalPatterns: readonly PersonalPattern[] = [
  {
    kind: "EMAIL",
    pattern: /[\p{L}\p{N}._%+-]{1,64}(?:@|&#64;|&#x40;|%40)(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}/gu,
    isRight: (match) => !fileNames.test(match),
    inUrls: true,
  },
  {
    kind: "EMAIL",
    pattern: /[\w.+-]{1,64} ?[[(](?:at|@)[\])] ?[\w-]{1,63}(?: ?(?:\.|[[(](?:dot|punkt)[\])]) ?[\w-]{2,63}){1,4}/gi,
  },
  ...secrets,
  {
    kind: "FINANCIAL",
    pattern: number(String.raw`(?:3[0-9]|4\d|5[0-9]|6[0-9]|2[2-7])(?:[ -]?\d){11,17}`),
    isRight: (match) => isLuhn(match) && cardNumber.test(match.replace(/\D/g, "")),
  },
  {
    kind: "FINANCIAL",
    pattern: /(?<![\w])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)/g,
    isRight: isIban,
  },
  ...networks,
  ...identities,
  ...phones,
  ...streets,
];
