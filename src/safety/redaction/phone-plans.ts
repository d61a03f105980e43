// Recognizes phone numbers as a country writes them, by its numbering plan. The countries follow from the page's language and host.
import type { PhoneNumber } from "libphonenumber-js/min";
import { isNamedOtherwise } from "./personal-data.ts";
import stored from "./phone-countries.json" with { type: "json" };

/** Whether some digits are a phone number; `before` and `after` surround them. */
export type PhoneTest = (digits: string, before: string, after: string) => boolean;

/** Global: digits that may be a phone number, with the usual gaps. */
export const phoneCandidates =
  /(?<![\d\p{L}+.,/_#=$€£¥%:-]|[$€£¥] )\(?\d(?:[ \u00a0.()\-–/]{0,3}\d){6,14}(?![\d\p{L}_%-]|[.,/:]\d)/gu;

const countriesOfLanguages: Readonly<Record<string, readonly string[]>> = stored.languages;
/** Country domains that are used everywhere. */
const genericDomains = new Set(["ai", "cc", "co", "fm", "gg", "io", "ly", "me", "sh", "to", "tv", "ws"]);
const maxCountries = 5;
/** Different candidates of a page: a lookup costs many times as much as finding one. */
const maxLookups = 2000;

const amounts =
  /^\s?(?:[$€£¥₽₹%‰°]|(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RUB|JPY|CNY|zł|Kč|kr|Ft|lei|руб|mio|mld|mln|million|people|inhabitants|km|kg|m²|tonnes?|tons?|views?|votes?|obyvatel|mieszkańców|habitantes|Einwohner|жител)(?!\p{L}))/iu;
const date =
  /(?<!\d)(?:\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}(?:19|20)\d\d|(?:19|20)\d\d[ ./-]\d{1,2}[ ./-]\d{1,2})(?!\d)/;
const years = /^(?:19|20)\d\d[ –-]{1,3}(?:19|20)\d\d$/;
const decimals = /^0[.,]\d+$/;
/** Other usual groups in countries without a trunk prefix. */
const usualGroups = new Set(["3 3 3", "2 3 2 2", "3 2 2 2", "3 2 3"]);

/** Null when neither the languages nor the host tell a country. */
export async function phoneTestFor(
  languages: readonly (string | undefined)[],
  host: string,
): Promise<PhoneTest | null> {
  // Loaded late: 150 KB of numbering plans, for redaction only.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const tags = languages.map((language) => (language ?? "").toLowerCase().split(/[-_]/));
  const end = host.slice(host.lastIndexOf(".") + 1).toLowerCase();
  const named = [...tags.flatMap(([, ...more]) => more), genericDomains.has(end) ? "" : end === "uk" ? "gb" : end].map(
    (code) => code.toUpperCase(),
  );
  const all = [...named, ...tags.flatMap(([name = ""]) => countriesOfLanguages[name] ?? [])].filter((code) =>
    isSupportedCountry(code),
  );
  const countries = [...new Set(all)].slice(0, maxCountries);
  if (countries.length === 0) return null;
  const known = new Map<string, boolean>();
  const isInPlan = (digits: string): boolean =>
    countries.some((country) => {
      const phone = parsePhoneNumberFromString(digits, country);
      return phone?.isValid() === true && isWrittenAs(digits, phone);
    });
  return (digits, before, after) => {
    if (date.test(digits) || years.test(digits) || decimals.test(digits)) return false;
    if (isNamedOtherwise(before) || amounts.test(after)) return false;
    const seen = known.get(digits);
    if (seen !== undefined || known.size >= maxLookups) return seen ?? false;
    const isPhone = isInPlan(digits);
    known.set(digits, isPhone);
    return isPhone;
  };
}

/** Whether it is written as in its country: with the trunk prefix, or in the usual groups. */
function isWrittenAs(digits: string, phone: PhoneNumber): boolean {
  const given = groupsOf(digits);
  const plan = groupsOf(phone.formatNational());
  const hasTrunk = plan.join("") !== phone.nationalNumber;
  if (hasTrunk || phone.nationalNumber.startsWith("0")) return given.join("") === plan.join("");
  if (given.length < 2) return false;
  return sizesOf(given) === sizesOf(plan) || usualGroups.has(sizesOf(given));
}

function groupsOf(digits: string): string[] {
  return digits.match(/\d+/g) ?? [];
}

function sizesOf(groups: readonly string[]): string {
  return groups.map(({ length }) => length).join(" ");
}
