// Patterns of personal data, which are data themselves, and the checks that their matches must pass: numbers with check digits must
// have the right ones.
import { patternOf } from "../patterns/stored-pattern.ts";
import * as checksums from "./checksums.ts";
import stored from "./personal-data.json" with { type: "json" };

export type PersonalKind = "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET";

type Check = (match: string, before: string) => boolean;

export interface PersonalPattern {
  kind: PersonalKind;
  /** Global. */
  pattern: RegExp;
  check?: Check | undefined;
  /** Also inside a URL. */
  inUrls?: boolean;
  /** Only when everything that may be personal is redacted. */
  isLoose?: boolean;
}

const digitCount = (text: string) => text.replace(/\D/g, "").length;
const fileNames = patternOf(stored.fileNames);
/** Card numbers by the lengths that issuers use. */
const cardNumber = patternOf(stored.cardNumber);
/** Calling codes of countries and regions, without the plus sign. */
const callingCodes = patternOf(stored.callingCodes);
/** Words before numbers that are no phone numbers. */
const otherNumbers = patternOf(stored.otherNumbers);

export function isNamedOtherwise(before: string): boolean {
  return otherNumbers.test(before);
}

const checks: Readonly<Record<string, Check>> = {
  ...checksums,
  isNoFile: (match) => !fileNames.test(match),
  isCard: (match) => checksums.isLuhn(match) && cardNumber.test(match.replace(/\D/g, "")),
  isNoVersion: (_match, before) => !/(?:\bv|version|release|firmware)[\s:]{0,2}$/i.test(before),
  isFullAddress: (match) => {
    const groups = match.split(":").length;
    return match.includes("::") ? groups <= 8 && /[A-Fa-f]/.test(match) : groups === 8;
  },
  isTaxIdOrPesel: (match) => checksums.isGermanTaxId(match) || (!match.includes(" ") && checksums.isPesel(match)),
  isCpfOrPesel: (match) => checksums.isCpf(match) || checksums.isPesel(match),
  isPhone: (_match, before) => !isNamedOtherwise(before),
  isInternational: (match) => {
    const plain = match.replace(/^00/, "+").replace(/\(0\)/, "").replace(/\D/g, "");
    return plain.length >= 8 && plain.length <= 15 && callingCodes.test(plain);
  },
  isDialed: (match) => digitCount(match) >= 6 && digitCount(match) <= 15,
  isLooseNumber: (match) => digitCount(match) >= 8 && digitCount(match) <= 12 && !/^(?:19|20)\d\d-/.test(match),
};

export const personalPatterns = stored.patterns.map(
  ({ kind, pattern, check, ...more }): PersonalPattern => ({
    kind: kind as PersonalKind,
    pattern: patternOf(pattern, "gu", stored.parts),
    check: check === undefined ? undefined : checks[check],
    ...more,
  }),
);
