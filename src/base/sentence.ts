// Messages as sentences.

/** A text that ends with a full stop: several messages may be joined in one warning. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
