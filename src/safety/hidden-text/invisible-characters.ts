// Invisible characters can carry text that programs read and people do not see. Those that shape letters, join emoji or set the
// direction of a word stay.

const suspects = /[\u200b-\u200d\u202a-\u202e\u2060-\u2064\ufeff\u180e]|\udb40|[\ufe00-\ufe0f]{2}/;
/** A reference to such a character, by number or by name. */
const references =
  /&(?:#(?:x0*(?:200[b-d]|202[a-e]|206[0-4]|fe0[\da-f]|feff|180e|e0[01])|0*(?:820[3-5]|823[4-8]|828[89]|829[0-2]|6502[4-9]|6503\d|65279|6158|917|918))|zw|NoBreak|ZeroWidth|Negative|Invisible|ApplyFunction|af;|ic;|it;)/iy;

/** Whether a page's source may hold any. */
export function mayHoldInvisible(source: string): boolean {
  return suspects.test(source) || hasReference(source);
}

/** Looks at references only: one expression over the whole source takes ten times as long. */
function hasReference(source: string): boolean {
  for (let at = source.indexOf("&"); at >= 0; at = source.indexOf("&", at + 1)) {
    references.lastIndex = at;
    if (references.test(source)) return true;
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
