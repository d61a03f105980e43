// The stem of an English word, by M. F. Porter's algorithm ("An algorithm for suffix stripping", 1980).
import { stemmer } from "stemmer";

const longest = 40;

/** Takes a folded word. Words of other scripts, and those with digits, stay as they are; no suffix ends in another letter. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > longest || !/^[a-z]+[cdegilmnrstuy]$/.test(word)) return word;
  return stemmer(word);
}
