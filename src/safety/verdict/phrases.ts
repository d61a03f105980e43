// What servers say in place of the requested page, in the most frequent languages. All lower case.
import stored from "./phrases.json" with { type: "json" };

type PhraseName = keyof typeof stored.phrases;

/** What each of them means is said in the data. */
export const phrases = Object.fromEntries(
  Object.entries(stored.phrases).map(([name, ways]) => [name, new RegExp(ways.join("|"))]),
) as Record<PhraseName, RegExp>;

/** Ids and classes of consent and age dialogs, as sites and the well-known consent services name them. */
export const dialogNames = new RegExp(stored.dialogNames, "i");
