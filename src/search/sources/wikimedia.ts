// What Wikipedia, Wikidata and Wikimedia Commons share: one operator, one API, one pace.
import { sourceDefaults } from "./source.ts";

export const wikimediaPath = "/w/api.php";
export const wikimediaQuery = { action: "query", format: "json", formatversion: 2 };
export const wikimediaTerms =
  "A User-Agent with a contact, few requests at once, Retry-After is obeyed; texts are CC BY-SA.";
export const wikimedia = {
  ...sourceDefaults,
  pace: [{ most: 60, seconds: 60 }],
  paceGroup: "wikimedia",
  atOnce: 2,
  wantsContact: true,
} as const;
