// The language, time zone and location of a visitor from a country. Languages are those most read there, English where none is
// named; clock and place are those of the largest city.
import table from "./countries.json" with { type: "json" };

interface Country {
  language?: string;
  timezone?: string;
  latitude?: number;
  longitude?: number;
}

const countries: Readonly<Record<string, Country>> = table;

const maxLanguages = 10;
const languageTag = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** Accept-Language: the requested languages, else those of the country; the best first. */
export function acceptLanguage({ country, languages }: { country: string; languages: readonly string[] }): string {
  const asked = languages.filter((language) => languageTag.test(language)).slice(0, maxLanguages);
  if (asked.length > 0) return weigh(asked);
  const own = countries[country]?.language;
  if (own === undefined) return weigh([`en-${country}`, "en"]);
  return weigh([`${own}-${country}`, own, "en"]);
}

function weigh(languages: readonly string[]): string {
  return languages
    .map((language, index) => (index === 0 ? language : `${language};q=${Math.max(1, 10 - index) / 10}`))
    .join(",");
}

/** Empty for a country that is not in the table: the browser then keeps the server's own clock and has no place. */
export function placeOf(country: string) {
  const { timezone, latitude, longitude } = countries[country] ?? {};
  if (timezone === undefined || latitude === undefined || longitude === undefined) return {};
  return { timezoneId: timezone, geolocation: { latitude, longitude }, permissions: ["geolocation"] };
}
