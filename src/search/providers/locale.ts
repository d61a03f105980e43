// Country, language and place of the searcher, as codes. Anything else is ignored with a warning.
import type { ProviderRequest } from "./search-provider.ts";

export interface Locale {
  /** Two capital letters. */
  country: string | null;
  /** In small letters, without region. */
  language: string | null;
  /** Region or script of the language, in capital letters. */
  region: string | null;
  /** Finer than a country. */
  place: string | null;
  warnings: string[];
}

export function readLocale(request: ProviderRequest): Locale {
  const warnings: string[] = [];
  const parts = (request.location ?? "").split(",").map((part) => part.trim());
  const located = parts.filter((part) => part !== "");
  const country = known(request.country, "country") ?? countryCode(located.at(-1) ?? "");
  const isCountryOnly = located.length === 1 && countryCode(located[0] ?? "") !== null;
  const [, language, region] = /^([a-z]{2,3})(?:[-_]([a-z]{2,4}))?$/i.exec(request.language?.trim() ?? "") ?? [];
  if (language === undefined && request.language)
    warnings.push(`The language "${shown(request.language)}" was ignored.`);
  return {
    country,
    language: language?.toLowerCase() ?? null,
    region: region?.toUpperCase() ?? null,
    place: located.length === 0 || isCountryOnly ? null : located.join(", "),
    warnings,
  };

  function known(value: string | undefined, what: string): string | null {
    const code = countryCode(value?.trim() ?? "");
    if (code === null && value) warnings.push(`The ${what} "${shown(value)}" was ignored.`);
    return code;
  }
}

/** As Google's `hl` has it: `de`, `pt-br`. */
export function googleLanguage({ language, region }: Pick<Locale, "language" | "region">): string | undefined {
  return language === null ? undefined : [language, region?.toLowerCase()].filter(Boolean).join("-");
}

/** The English name, for services that take names. */
export function countryName(code: string): string {
  return new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
}

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
/** Names in use beside those of Unicode. */
const otherNames = new Map([
  ["uk", "GB"],
  ["usa", "US"],
  ["united states of america", "US"],
  ["england", "GB"],
  ["great britain", "GB"],
  ["turkey", "TR"],
  ["czech republic", "CZ"],
  ["uae", "AE"],
]);

function countryCode(text: string): string | null {
  const lower = text.toLowerCase();
  const other = otherNames.get(lower);
  if (other !== undefined) return other;
  if (text.length < 2) return null;
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const isName = (code: string) => names.of(code)?.toLowerCase() === lower;
  const code =
    text.length === 2 ? codes.find((each) => each === text.toUpperCase() && names.of(each)) : codes.find(isName);
  // Countries of the past still have codes (DD): the one in use today.
  return code === undefined ? null : (new Intl.Locale(`und-${code}`).region ?? null);
}

function shown(text: string): string {
  return text.slice(0, 40).replace(/\s+/g, " ");
}
