// How names are compared: white space and letter case do not count.

export function foldName(text: string | undefined): string {
  return (text ?? "").normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

export function isSameName(one: string | undefined, other: string | undefined): boolean {
  const folded = foldName(one);
  return folded !== "" && folded === foldName(other);
}

/** Whole words, each once. */
export function wordSetOf(text: string | undefined): Set<string> {
  return new Set(foldName(text).match(/[\p{L}\p{N}]+/gu) ?? []);
}
