// Invisible characters can carry text that programs read and people do not see. Those that shape letters, join emoji or set the
// direction of a word stay.

const suspects = /[\u200b-\u200d\u202a-\u202e\u2060-\u2064\ufeff\u180e]|\udb40|[\ufe00-\ufe0f]{2}/;
/** A reference to such a character, by number or by name. */
const references =
  /&(?:#(?:x0*(?:200[b-d]|202[a-e]|206[0-4]|fe0[\da-f]|feff|180e|e0[01])|0*(?:820[3-5]|823[4-8]|828[89]|829[0-2]|6502[4-9]|6503\d|65279|6158|917|918))|zw|NoBreak|ZeroWidth|Negative|Invisible|ApplyFunction|af;|ic;|it;)/iy;

/** A page as it came, and as it was decoded. */
export interface SourceText {
  text: string;
  bytes: Uint8Array;
  charset: string;
}

/** More places than this are not looked at one by one. */
const maxPlaces = 2000;

/** Whether a page's source may hold any. */
export function mayHoldInvisible({ text, bytes, charset }: SourceText): boolean {
  const isFound = charset === "utf-8" ? holdsInUtf8(bytes) : null;
  return (isFound ?? suspects.test(text)) || holdsReference(text);
}

/**
 * The same as `suspects`, from the bytes: the first byte of such a character is rare, and looking for one byte costs next to
 * nothing. Null when there are too many of them.
 */
function holdsInUtf8(bytes: Uint8Array): boolean | null {
  let places = 0;
  for (const first of [0xe1, 0xe2, 0xef, 0xf3]) {
    for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
      if (isSuspect(bytes, at)) return true;
      places += 1;
      if (places > maxPlaces) return null;
    }
  }
  return false;
}

function isSuspect(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  switch (bytes[at]) {
    case 0xe1:
      return second === 0xa0 && third === 0x8e;
    case 0xe2:
      if (second === 0x81) return third >= 0xa0 && third <= 0xa4;
      return second === 0x80 && ((third >= 0x8b && third <= 0x8d) || (third >= 0xaa && third <= 0xae));
    case 0xef:
      if (second === 0xbb) return third === 0xbf && at > 0;
      return isSelector(bytes, at) && isSelector(bytes, at + 3);
    default:
      return second === 0xa0;
  }
}

/** A variation selector. */
function isSelector(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xb8 && (bytes[at + 2] as number) <= 0x8f;
}

/** Of references only those are compared that may begin like one of ours. */
function holdsReference(text: string): boolean {
  let places = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (!/[#znia]/i.test(text[at + 1] ?? "")) continue;
    references.lastIndex = at;
    if (references.test(text)) return true;
    places += 1;
    if (places > maxPlaces) return true;
  }
  return false;
}

/**
 * Flags of regions are a black flag, tags that spell the region, and an end. Then: tags, overrides and embeddings of direction,
 * runs of zero-width characters, runs of variation selectors.
 */
const invisible =
  /(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F})|[\u{E0000}-\u{E007F}]+|[\u202a-\u202e]+|[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{2,}|[\ufe00-\ufe0f\u{E0100}-\u{E01EF}]{2,}/gu;

/** Letters that change their shape beside each other, marks on them, and emoji. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]|\ufe0f/u;

export interface VisibleText {
  text: string;
  /** How many characters were left out. */
  removed: number;
}

export function withoutInvisible(text: string): VisibleText {
  if (!suspects.test(text)) return { text, removed: 0 };
  let removed = 0;
  const clean = text.replace(invisible, (run: string, flag: string | undefined, at: number) => {
    if (flag !== undefined) return run;
    const joiner = joinerOf(text, run, at);
    removed += [...run].length - joiner.length;
    return joiner;
  });
  return { text: clean, removed };
}

/** A doubled joiner becomes one joiner; any other run is removed. */
function joinerOf(text: string, run: string, at: number): string {
  const [first = ""] = run;
  if (run.length > 3 || !/^(?:\u200c+|\u200d+)$/.test(run)) return "";
  const before = String.fromCodePoint(text.codePointAt(at - 2) ?? 32) + (text[at - 1] ?? "");
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 32);
  return joining.test(before) && joining.test(after) ? first : "";
}

/** Unicode tags are invisible copies of the ASCII letters. */
export function spelledByTags(text: string): string {
  const tags = text.match(/[\u{E0020}-\u{E007E}]/gu) ?? [];
  return tags.map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0xe0020) - 0xe0000)).join("");
}
