// What a language model reads of a text, and what callers are told when it does not answer.

/** Of a page, in characters: more than a request may ask about by default, and little enough to scan quickly. */
const longestText = 500_000;

/** The part of a page's text that a model reads. */
export function modelText(text: string): { text: string; warnings: string[] } {
  if (text.length <= longestText) return { text, warnings: [] };
  const warning = `The language model reads only the first ${longestText} characters of the text.`;
  return { text: text.slice(0, longestText), warnings: [warning] };
}

/** `instead` says what the caller gets: "The answer is …". */
export function modelWarning({ code, message }: { code: string; message: string }, instead: string): string {
  return `The language model did not answer (${code}): ${message} ${instead}`;
}
