// Which languages a visitor from a country would ask for.

/** Where a language is the one most read; everywhere else it is English. */
const countriesOfLanguage: Record<string, string> = {
  ar: "AE DZ EG IQ JO KW LB MA OM QA SA TN",
  bg: "BG",
  cs: "CZ",
  da: "DK",
  de: "AT CH DE",
  el: "GR",
  es: "AR CL CO CR CU DO EC ES GT MX PA PE PY UY VE",
  et: "EE",
  fa: "IR",
  fi: "FI",
  fr: "FR LU",
  he: "IL",
  hr: "HR",
  hu: "HU",
  id: "ID",
  is: "IS",
  it: "IT",
  ja: "JP",
  ko: "KR",
  lt: "LT",
  lv: "LV",
  ms: "MY",
  nb: "NO",
  nl: "BE NL",
  pl: "PL",
  pt: "BR PT",
  ro: "RO",
  ru: "BY KZ RU",
  sk: "SK",
  sl: "SI",
  sr: "RS",
  sv: "SE",
  th: "TH",
  tr: "TR",
  uk: "UA",
  ur: "PK",
  vi: "VN",
  zh: "CN HK TW",
};

const languageOfCountry = new Map(
  Object.entries(countriesOfLanguage).flatMap(([language, countries]) =>
    countries.split(" ").map((country) => [country, language] as const),
  ),
);

const maxLanguages = 10;
const languageTag = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** Accept-Language: the languages asked for, else those of the country; the best first. */
export function acceptLanguage({ country, languages }: { country: string; languages: readonly string[] }): string {
  const asked = languages.filter((language) => languageTag.test(language)).slice(0, maxLanguages);
  if (asked.length > 0) return weigh(asked);
  const own = languageOfCountry.get(country);
  if (own === undefined) return weigh([`en-${country}`, "en"]);
  return weigh([`${own}-${country}`, own, "en"]);
}

function weigh(languages: readonly string[]): string {
  return languages
    .map((language, index) => (index === 0 ? language : `${language};q=${Math.max(1, 10 - index) / 10}`))
    .join(",");
}
