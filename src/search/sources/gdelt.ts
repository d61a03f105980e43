// GDELT: news of the world. It has titles and no snippets, and tells its errors as plain text.
import { isAnswerObject, listAt, parseJson } from "../providers/json.ts";
import { countryName } from "../providers/locale.ts";
import { type OpenSource, type SourceQuestion, sizeOf, sourceDefaults } from "./source.ts";
import { expressTerms } from "./terms.ts";

const understood = new Set(["phrase"] as const);

export const gdelt: OpenSource = {
  ...sourceDefaults,
  name: "gdelt",
  title: "GDELT",
  base: "https://api.gdeltproject.org",
  serves: new Set(["news"]),
  understands: understood,
  wantsAllWords: true,
  appliesTime: true,
  perCall: 250,
  pace: [{ most: 1, seconds: 5 }],
  answers: "text",
  terms: "Open; GDELT is to be cited as the source.",

  ask(question) {
    const { fromMs, toMs, now, isNewestFirst } = question;
    const time = (ms: number) => new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14);
    const isBounded = fromMs !== null || toMs !== null;
    return {
      path: "/api/v2/doc/doc",
      query: {
        query: expression(question),
        mode: "artlist",
        format: "json",
        maxrecords: sizeOf(question, 250),
        sort: isNewestFirst ? "datedesc" : "hybridrel",
        startdatetime: fromMs === null ? undefined : time(fromMs),
        enddatetime: isBounded ? time(Math.min(toMs ?? now, now)) : undefined,
        timespan: isBounded ? undefined : "3m",
      },
    };
  },

  read({ text }) {
    if (/limit requests|too many requests/i.test(text.slice(0, 500))) return "refused";
    const json = parseJson(text);
    // Without a hit the answer is an empty object.
    if (!isAnswerObject(json) || ("articles" in json && !Array.isArray(json.articles))) return null;
    const results = (listAt(json, "articles") ?? []).map(({ url, title, seendate, socialimage }) => ({
      url,
      title,
      dates: [typeof seendate === "string" ? seendate.replace(seen, "$1-$2-$3T$4:$5:$6Z") : undefined],
      imageUrl: socialimage || undefined,
    }));
    return { results, next: null };
  },
};

const seen = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

function expression({ terms, text, country, language, isLanguageAsked, site }: SourceQuestion): string {
  const hasPhrase = terms.some(({ isPhrase, isNegated }) => isPhrase && !isNegated);
  const parts = [hasPhrase ? expressTerms(terms, understood) : text];
  if (site !== null) parts.push(`domain:${site}`);
  const name = country === null ? "" : countryName(country).toLowerCase().replaceAll(" ", "");
  if (/^[a-z]+$/.test(name)) parts.push(`sourcecountry:${name}`);
  const spoken = isLanguageAsked ? new Intl.DisplayNames("en", { type: "language" }).of(language)?.toLowerCase() : "";
  if (spoken && /^[a-z]+$/.test(spoken)) parts.push(`sourcelang:${spoken}`);
  return parts.join(" ");
}
