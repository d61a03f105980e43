// Whether a text says that something is available, in the languages of shops. Its words are alternatives of a pattern, a line a language.
import words from "./availability-words.json" with { type: "json" };

const notAvailable = new RegExp(words.notAvailable.join("|"), "i");
const available = new RegExp(words.available.join("|"), "i");

/** Null when the text does not say. */
export function availabilityOf(text: string): boolean | null {
  if (notAvailable.test(text)) return false;
  return available.test(text) ? true : null;
}
