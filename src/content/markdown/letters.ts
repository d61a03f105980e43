// How a text begins and ends, and whether it is blank. Called for every text of a page, so ASCII is classified by its codes.

const wordAtStart = /^[\p{L}\p{N}]/u;
const wordCharacterAtEnd = /[\p{L}\p{N}]$/u;

export function beginsWithWord(text: string): boolean {
  const code = text.charCodeAt(0);
  return code < 128 ? isWordCode(code) : wordAtStart.test(text);
}

/** Looks at the last character only: the pattern alone would be tried from every place of a long text. */
export function endsInWord(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code < 128 ? isWordCode(code) : wordCharacterAtEnd.test(text.slice(-2));
}

/** Of an ASCII character: a letter or a digit. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Most texts between two elements are a line end and the indentation of the next line. */
export function isGap(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 10 && code !== 32 && code !== 9 && code !== 13) return false;
  }
  return text.length > 0;
}
