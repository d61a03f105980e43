// What pages say instead of the page that was asked for, in the languages that most pages are written in. All lower case.
import stored from "./phrases.json" with { type: "json" };

type PhraseName = keyof typeof stored.phrases;

/** What each of them means is said in the data. */
export const phrases = Object.fromEntries(
  Object.entries(stored.phrases).map(([name, ways]) => [name, new RegExp(ways.join("|"))]),
) as Record<PhraseName, RegExp>;

/** Ids and classes of consent and age dialogs, as sites and the well-known consent services name them. */
export const dialogNames = new RegExp(stored.dialogNames, "i");
