// Texts that say something else to a program than to a person: in base64, in hexadecimal digits, in ROT13,
// with gaps between the letters, or in letters that look like others. Each is written out as plain text.

/** Shorter words carry no order. */
const leastEncoded = 32;
const longestEncoded = 4000;
const maxEncoded = 20;
const plainWords = /^[\t\n\r -~]+$/;
const encodedWord = /[A-Za-z0-9+/_-]{32,}={0,2}/;

/** What long words of a text say when they are decoded. */
export function decodedWords(text: string): string[] {
  const found: string[] = [];
  for (const word of longWords(text)) {
    const [token = ""] = encodedWord.exec(word) ?? [];
    if (token === "") continue;
    const isHex = /^[\da-fA-F]+$/.test(token);
    const words = Buffer.from(token, isHex ? "hex" : "base64").toString("latin1");
    if (plainWords.test(words) && words.includes(" ")) found.push(words);
    if (found.length >= maxEncoded) break;
  }
  return found;
}

/** Looks at few characters: only as far back from every 32nd as the last space. */
function* longWords(text: string): Generator<string> {
  let at = leastEncoded - 1;
  while (at < text.length) {
    let from = at;
    const least = Math.max(0, at - leastEncoded + 1);
    while (from >= least && text.charCodeAt(from) > 32) from -= 1;
    if (from >= least) {
      at = from + leastEncoded;
      continue;
    }
    let to = at;
    const most = Math.min(text.length, at + longestEncoded);
    while (to < most && text.charCodeAt(to) > 32) to += 1;
    yield text.slice(from + 1, to);
    at = to + leastEncoded;
  }
}

/** How "instructions", "prompt" and "previous" begin with gaps, with digits for letters, turned by thirteen, and in digits. */
export const disguisedStems: readonly string[] = [
  ...["n s t r u", "n-s-t-r-u", "n.s.t.r.u", "n_s_t_r_u", "n*s*t*r*u"],
  ...["1nstru", "nstruct1", "pr0mpt", "revi0us", "rev1ous", "1gnore", "ign0re"],
  ...["vafgehpg", "cerivbhf", "cebzcg"],
  ...["6e 73 74 72", "6e,73,74,72", "6e:73:74:72", "\\x6e\\x73\\x74", "%6e%73%74"],
];

/** The words around such a beginning, as plain text. */
export function respelled(part: string, stem: string): string {
  if (/6e.{0,2}73/.test(stem)) return fromPairs(part);
  if (/afgehpg|erivbhf|ebzcg/.test(stem)) return part.replace(/[a-z]/gi, turned);
  if (/\d/.test(stem)) return part.replace(/[013457@$]/g, (sign) => lettersOfSigns[sign] ?? sign);
  return withoutGaps(part);
}

function fromPairs(part: string): string {
  const pairs = part.match(/(?<![\da-fA-F])[\da-fA-F]{2}(?![\da-fA-F])/g) ?? part.match(/[\da-fA-F]{2}/g) ?? [];
  return Buffer.from(pairs.join(""), "hex").toString("latin1");
}

function turned(letter: string): string {
  const code = letter.charCodeAt(0);
  const first = code >= 97 ? 97 : 65;
  return String.fromCharCode(first + ((code - first + 13) % 26));
}

const lettersOfSigns: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" };

/** Words stay apart where the gap is wider than between letters. */
function withoutGaps(part: string): string {
  return part
    .replace(/(\b\w)[-._*]{1,2}(?=\w\b)/g, "$1")
    .replace(/(\b\w) (?=\w\b)/g, "$1")
    .replace(/ {2,}/g, " ");
}

/** Letters of other scripts, and characters that only look like Latin ones or like nothing. */
const others = /[\u0370-\u1fff\u200b-\u200d\u2060\u2e80-\ud835\ufeff\uff21-\uff5a]/;

/** Whether a text needs a closer look: most are written in Latin letters alone. */
export function hasOtherLetters(text: string): boolean {
  return others.test(text);
}

const mixedWord = /[A-Za-z]*[\u0370-\u03ff\u0400-\u04ff][A-Za-z\u0370-\u03ff\u0400-\u04ff]*/g;

/** The text with Latin letters where others only look like them. */
export function unmasked(text: string): string {
  return text
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/[\uff01-\uff5e]+|(?:\ud835[\udc00-\udfff])+/g, (letters) => letters.normalize("NFKC"))
    .replace(mixedWord, (word) =>
      /[A-Za-z]/.test(word) ? word.replace(/[^A-Za-z]/g, (letter) => lookalikes.get(letter) ?? letter) : word,
    );
}

const lookalikes = new Map<string, string>([
  ...pairsOf("аеорсухіјѕһԁкмтвнгпАЕОРСТМНКВХІ", "aeopcyxijshdkmtbhrnAEOPCTMHKBXI"),
  ...pairsOf("οαεινρτυκΑΕΟΡΤΜΝΚΒΧΙΗ", "oaeivptukAEOPTMNKBXIH"),
]);

function pairsOf(letters: string, latin: string): [string, string][] {
  return [...letters].map((letter, place) => [letter, latin[place] as string]);
}
