// The stem of an English word, by M. F. Porter's algorithm ("An algorithm for suffix stripping", 1980) with the two later
// changes of its author (`bli`, `logi`). Words of other scripts stay as they are.

const consonants = "[^aeiou][^aeiouy]*";
const vowels = "[aeiouy][aeiou]*";
const measureAtLeastOne = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const measureOne = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const measureAtLeastTwo = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const withVowel = new RegExp(`^(?:${consonants})?[aeiouy]`);
const shortEnd = new RegExp(`^${consonants}[aeiouy][^aeiouwxy]$`);

const pairs: Record<string, string> = {
  ...{ ational: "ate", tional: "tion", enci: "ence", anci: "ance", izer: "ize", bli: "ble", alli: "al", entli: "ent" },
  ...{ eli: "e", ousli: "ous", ization: "ize", ation: "ate", ator: "ate", alism: "al", iveness: "ive", fulness: "ful" },
  ...{ ousness: "ous", aliti: "al", iviti: "ive", biliti: "ble", logi: "log" },
};
const doubles: Record<string, string> = {
  ...{ icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ful: "", ness: "" },
};
const pairEnd = new RegExp(`^(.+?)(${Object.keys(pairs).join("|")})$`);
const doubleEnd = new RegExp(`^(.+?)(${Object.keys(doubles).join("|")})$`);
const singleEnd =
  /^(.+?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])ion$/;
const longest = 40;

/** No suffix ends in another letter than those named here. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > longest || !/^[a-z]+[cdegilmnrstuy]$/.test(word)) return word;
  // A first y is a consonant, which the patterns would take for a vowel.
  const isY = word.startsWith("y");
  const end = withoutFinalE(withoutSuffixes(withoutInflection(isY ? `Y${word.slice(1)}` : word)));
  return isY ? `y${end.slice(1)}` : end;
}

/** Step 1: plurals, -ed, -ing, final y. */
function withoutInflection(word: string): string {
  let left = word;
  if (/(?:ss|i)es$/.test(left)) left = left.slice(0, -2);
  else if (/[^s]s$/.test(left)) left = left.slice(0, -1);
  const [, beforeEed] = /^(.+?)eed$/.exec(left) ?? [];
  const [, beforeEnd] = /^(.+?)(?:ed|ing)$/.exec(left) ?? [];
  if (beforeEed !== undefined) {
    if (measureAtLeastOne.test(beforeEed)) left = left.slice(0, -1);
  } else if (beforeEnd !== undefined && withVowel.test(beforeEnd)) {
    left = restoreEnd(beforeEnd);
  }
  return /.y$/.test(left) && withVowel.test(left.slice(0, -1)) ? `${left.slice(0, -1)}i` : left;
}

function restoreEnd(word: string): string {
  if (/(?:at|bl|iz)$/.test(word)) return `${word}e`;
  if (/([^aeiouylsz])\1$/.test(word)) return word.slice(0, -1);
  return shortEnd.test(word) ? `${word}e` : word;
}

/** Steps 2 to 4. */
function withoutSuffixes(word: string): string {
  let left = replaceEnd(word, pairEnd, pairs);
  left = replaceEnd(left, doubleEnd, doubles);
  const [, before, beforeIon] = singleEnd.exec(left) ?? [];
  const rest = before ?? beforeIon;
  return rest !== undefined && measureAtLeastTwo.test(rest) ? rest : left;
}

function replaceEnd(word: string, pattern: RegExp, ends: Record<string, string>): string {
  const [, before, end] = pattern.exec(word) ?? [];
  if (before === undefined || end === undefined || !measureAtLeastOne.test(before)) return word;
  return before + ends[end];
}

/** Step 5. */
function withoutFinalE(word: string): string {
  let left = word;
  if (/.e$/.test(left)) {
    const before = left.slice(0, -1);
    if (measureAtLeastTwo.test(before) || (measureOne.test(before) && !shortEnd.test(before))) left = before;
  }
  return left.endsWith("ll") && measureAtLeastTwo.test(left) ? left.slice(0, -1) : left;
}
