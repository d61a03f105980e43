// Messages as sentences.

/** A text with its full stop: messages of several parts stand in one warning. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
