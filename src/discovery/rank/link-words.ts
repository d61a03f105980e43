// Words of addresses and texts, folded so that spellings of one word meet: case, accents, plural and verb endings.

/** Without accents, in plain letters where there are any; of signs only those of ASCII stay. Keeps case. */
export function fold(text: string): string {
  if (isAscii(text)) return text;
  // Back to NFC, because NFKD takes Hangul syllables apart too.
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .replace(/[ßæœøłđıÆŒØŁĐ]/g, (letter) => plain[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{ASCII}]+/gu, " ");
}

const plain: Record<string, string> = Object.fromEntries(
  "ß:ss æ:ae œ:oe ø:o ł:l đ:d ı:i Æ:AE Œ:OE Ø:O Ł:L Đ:D".split(" ").map((pair) => pair.split(":") as [string, string]),
);

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** How addresses spell letters that they avoid: ü as ue, and Cyrillic in Latin letters. */
export function romanize(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFC").replace(/[äöüåøÄÖÜÅØ\u0400-\u045f]/g, (letter) => roman[letter.toLowerCase()] ?? letter);
}

const roman: Record<string, string> = Object.fromEntries(
  (
    "ä:ae ö:oe ü:ue å:aa ø:oe " +
    "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: " +
    "э:e ю:yu я:ya і:i ї:yi є:ye"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** Percent-encoded bytes become characters; those that are not UTF-8 become a space. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return " ";
    }
  });
}

/** Who is told of words; positions count from the field's start. */
export interface WordReader {
  /** Cheap question before a word is cut out of the text: can a word with this first letter (lower case) matter? */
  wants(firstCode: number, length: number): boolean;
  /** True when the word was of use; one that was not is offered again in its parts (`getUserInfo`: get, user, info). */
  take(word: string, position: number): boolean;
}

const separator = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const ideograph = 4;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 48 && code <= 57) return digit;
  if (code >= 65 && code <= 90) return upper;
  return code >= 97 && code <= 122 ? lower : separator;
});

/** Scripts written without spaces between words (and Hangul, whose particles stick to words) are read in pairs. */
function kindOf(code: number): number {
  if (code < 128) return asciiKinds[code] as number;
  if (code < 0x0e00) return lower;
  if (code <= 0x0eff || (code >= 0x1000 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)) return ideograph;
  return (code >= 0x3040 && code <= 0xd7ff) || (code >= 0xf900 && code <= 0xfaff) ? ideograph : lower;
}

/** Reads the words of folded text between two places; answers how many there are. */
export function readWords(text: string, from: number, to: number, reader: WordReader): number {
  let position = 0;
  let index = from;
  while (index < to) {
    const kind = kindOf(text.charCodeAt(index));
    if (kind === separator) {
      index += 1;
    } else if (kind === ideograph) {
      const end = runEnd(text, index, to);
      const last = Math.max(end - 2, index);
      for (let start = index; start <= last; start += 1) {
        const code = text.charCodeAt(start);
        const length = Math.min(2, end - start);
        if (reader.wants(code, length)) reader.take(text.slice(start, start + length), position);
        position += 1;
      }
      index = end;
    } else {
      const start = index;
      let previous = kind;
      let hasBorder = false;
      for (index += 1; index < to; index += 1) {
        const next = kindOf(text.charCodeAt(index));
        if (next === separator || next === ideograph) break;
        if (next !== previous && !(previous === upper && next === lower && index === start + 1)) hasBorder = true;
        previous = next;
      }
      const isTaken = offer(text, start, index, position, reader);
      position += hasBorder && !isTaken ? readParts(text, start, index, position, reader) : 1;
    }
  }
  return position;
}

function runEnd(text: string, from: number, to: number): number {
  let end = from + 1;
  while (end < to && kindOf(text.charCodeAt(end)) === ideograph) end += 1;
  return end;
}

function offer(text: string, start: number, end: number, position: number, reader: WordReader): boolean {
  const first = text.charCodeAt(start);
  if (!reader.wants(first >= 65 && first <= 90 ? first + 32 : first, end - start)) return false;
  return reader.take(text.slice(start, end).toLowerCase(), position);
}

/** The parts of `getUserInfo`, `HTMLParser`, `iphone15`; answers how many. */
function readParts(text: string, from: number, to: number, position: number, reader: WordReader): number {
  let count = 0;
  let start = from;
  for (let index = from + 1; index <= to; index += 1) {
    if (index < to && !isBorder(text, index, to)) continue;
    offer(text, start, index, position + count, reader);
    count += 1;
    start = index;
  }
  return count;
}

function isBorder(text: string, index: number, to: number): boolean {
  const before = kindOf(text.charCodeAt(index - 1));
  const here = kindOf(text.charCodeAt(index));
  if ((before === digit) !== (here === digit)) return true;
  if (here !== upper) return false;
  return before === lower || (index + 1 < to && kindOf(text.charCodeAt(index + 1)) === lower);
}

/** Cuts plural and verb endings, and a last e, so that price, prices, priced and pricing meet. Takes a folded word. */
export function stem(word: string): string {
  if (word.length < 4 || word.charCodeAt(word.length - 1) > 122) return word;
  let root = word;
  if (root.endsWith("ies") && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:[sxz]|[cs]h)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith("s") && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1);
  const verb = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(root)?.[1];
  if (verb && verb.length >= 3) root = /([bdfgkmnprt])\1$/.test(verb) ? verb.slice(0, -1) : verb;
  if (root.length > 4 && root.endsWith("e")) root = root.slice(0, -1);
  return root.length > 3 && root.endsWith("y") ? `${root.slice(0, -1)}i` : root;
}

/** Words that say nothing about a page's subject, in the languages most pages are written in; folded. */
const stopWords = new Set(
  (
    "a an the and or but of to in on at by for from with without as is are was were be been it its this that these those " +
    "i you he she we they me my your his her our their who whom which what when where why how do does did can will would should " +
    "not no if than then so too very just into over under up out " +
    "der die das den dem des ein eine einer eines einem einen und oder aber von vom zu zum zur im am auf fur mit ohne aus bei nach " +
    "uber unter ist sind war es er sie wir ihr ich sich nicht wie was wer wo wenn als auch so dass " +
    "le la les un une des du de et ou en au aux dans par pour sur avec sans est sont ce cette ces il elle nous vous ils que qui ne pas " +
    "el los las una unos unas y o del al con sin por para como es son se su sus lo " +
    "il gli della delle dei degli di da nel nella che e ed non per " +
    "os as do dos das no na nos nas um uma com sem " +
    "het een van voor met zonder op te bij naar is zijn niet"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
