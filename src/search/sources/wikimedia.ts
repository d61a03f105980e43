// What Wikipedia, Wikidata and Wikimedia Commons share: one operator, one API, one pace.

export const wikimediaPath = "/w/api.php";
export const wikimediaQuery = { action: "query", format: "json", formatversion: 2 };
export const wikimediaTerms =
  "A User-Agent with a contact, few requests at once, Retry-After is obeyed; texts are CC BY-SA.";
export const wikimedia = {
  tier: "open",
  wantsAllWords: false,
  appliesTime: false,
  pace: [{ most: 60, seconds: 60 }],
  paceGroup: "wikimedia",
  atOnce: 2,
  answers: "json",
} as const;
