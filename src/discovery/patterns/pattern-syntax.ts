// Which regular expressions mean the same to re2js as to JavaScript, and how much work they are.
// Anything not known to be the same is not listed here: JavaScript's own engine then runs it, in a thread.

// Left out on purpose: \p{L}, \Q, \A, \z, \C, \a, \x{41}, \u{61}, \1 and \0, which are letters, repetitions, octals or back
// references in JavaScript; surrogates, which it takes as two characters; [ inside a class, where re2js sees [:alpha:].
const escaped = String.raw`\\(?:[dDwWsStnrfv]|x[\dA-Fa-f]{2}|u(?![dD][89A-Fa-f])[\dA-Fa-f]{4}|[ -/:-@[-\x60{-~])`;
const oneOf = String.raw`\[\^\]|\[\^?(?:[^\]\\[\ud800-\udfff]|${escaped})+\]`;
const plain = String.raw`[^\\[\](){}*+?\ud800-\udfff]`;
const part = new RegExp(
  String.raw`(?<open>\((?:\?:|\?<[A-Za-z]\w*>|(?!\?)))|(?<close>\))|(?<times>[*+?]|\{(?<least>\d+)(?:,(?<most>\d*))?\})\??` +
    String.raw`|\\[bB]|${escaped}|${oneOf}|${plain}`,
  "y",
);

/**
 * The number of steps that re2js compiles an ordinary pattern to (roughly, and rather too many than too few), or null when
 * the pattern is not ordinary or larger than the limit. Takes a valid JavaScript pattern; the figure is known before
 * anything is compiled, because a{1000} written often makes 70 MB of steps in half a second.
 */
export function measurePattern(pattern: string, limit: number): number | null {
  const outer: number[] = [];
  let size = 1;
  let last = 0;
  part.lastIndex = 0;
  while (part.lastIndex < pattern.length) {
    const groups = part.exec(pattern)?.groups;
    if (!groups) return null;
    if (groups.open) {
      outer.push(size);
      size = 0;
    } else if (groups.close) {
      last = size + 2;
      size = last + (outer.pop() ?? 0);
    } else if (groups.times) {
      const times = Number(groups.most || groups.least || 1);
      size += last * Math.max(times - 1, 0) + Math.max(times, 1);
    } else {
      last = 1;
      size += 1;
    }
    if (size > limit) return null;
  }
  return size;
}

const printable = /^[ -~]*$/;

/** Every serialised URL is; for other texts the two engines differ in what `.`, `\s` and one character are. */
export function isPrintableAscii(text: string): boolean {
  return printable.test(text);
}
