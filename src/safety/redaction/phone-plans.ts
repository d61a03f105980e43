// Phone numbers as a country writes them, by its plan of numbers. Which countries are meant, the page's language and host say.
import type { CountryCode, PhoneNumber } from "libphonenumber-js/min";
import { isNamedOtherwise } from "./personal-data.ts";

/** Whether some digits are a phone number; `before` and `after` stand around them. */
export type PhoneTest = (digits: string, before: string, after: string) => boolean;

/** Global; what may be a number, with the gaps that people write. */
export const phoneCandidates =
  /(?<![\d\p{L}+.,/_#=$€£¥%:-]|[$€£¥] )\(?\d(?:[ \u00a0.()\-–/]{0,3}\d){6,14}(?![\d\p{L}_%-]|[.,/:]\d)/gu;

/** More than one country for languages of several, the largest first. */
const countriesOfLanguages: Readonly<Record<string, readonly CountryCode[]>> = {
  en: ["US", "GB"],
  de: ["DE", "AT", "CH"],
  fr: ["FR", "BE", "CH"],
  es: ["ES", "MX", "AR", "CO"],
  pt: ["BR", "PT"],
  it: ["IT"],
  nl: ["NL", "BE"],
  pl: ["PL"],
  cs: ["CZ"],
  sk: ["SK"],
  sl: ["SI"],
  hr: ["HR"],
  hu: ["HU"],
  ro: ["RO"],
  bg: ["BG"],
  el: ["GR"],
  tr: ["TR"],
  ru: ["RU"],
  uk: ["UA"],
  da: ["DK"],
  no: ["NO"],
  nb: ["NO"],
  nn: ["NO"],
  sv: ["SE"],
  fi: ["FI"],
  et: ["EE"],
  lv: ["LV"],
  lt: ["LT"],
  he: ["IL"],
  ar: ["SA", "EG", "AE"],
  fa: ["IR"],
  ur: ["PK"],
  hi: ["IN"],
  bn: ["BD", "IN"],
  th: ["TH"],
  vi: ["VN"],
  id: ["ID"],
  ms: ["MY"],
  ja: ["JP"],
  ko: ["KR"],
  zh: ["CN", "TW", "HK"],
};
/** Ends of host names that belong to a country and are used by everybody. */
const everybodys = new Set(["ai", "cc", "co", "fm", "gg", "io", "ly", "me", "sh", "to", "tv", "ws"]);
const maxCountries = 5;
/** Of different candidates of a page: looking one up costs many times as much as finding it. */
const maxLookups = 2000;

const amounts =
  /^\s?(?:[$€£¥₽₹%‰°]|(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RUB|JPY|CNY|zł|Kč|kr|Ft|lei|руб|mio|mld|mln|million|people|inhabitants|km|kg|m²|tonnes?|tons?|views?|votes?|obyvatel|mieszkańców|habitantes|Einwohner|жител)(?!\p{L}))/iu;
const date =
  /(?<!\d)(?:\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}(?:19|20)\d\d|(?:19|20)\d\d[ ./-]\d{1,2}[ ./-]\d{1,2})(?!\d)/;
const years = /^(?:19|20)\d\d[ –-]{1,3}(?:19|20)\d\d$/;
const decimals = /^0[.,]\d+$/;
/** How people also write them in countries without a digit that comes before all numbers. */
const usualGroups = new Set(["3 3 3", "2 3 2 2", "3 2 2 2", "3 2 3"]);

/** `host`: where the page is from. Null when neither tells a country. */
export async function phoneTestFor(language: string | undefined, host: string): Promise<PhoneTest | null> {
  // 150 KB of plans, for those alone who ask for redaction.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  const [name = "", ...more] = (language ?? "").toLowerCase().split(/[-_]/);
  const end = host.slice(host.lastIndexOf(".") + 1).toLowerCase();
  const named = [...more, everybodys.has(end) ? "" : end === "uk" ? "gb" : end].map((code) => code.toUpperCase());
  const all = [...named.filter((code) => isSupportedCountry(code)), ...(countriesOfLanguages[name] ?? [])];
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

/** Whether it is written as people of the country write it: with the digit that comes before all numbers, or in their groups. */
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
