// Countries by their codes or English names, as the runtime's own tables have them.

let codes: Map<string, string> | null = null;

/** ISO 3166-1 alpha-2 in capitals; undefined for no country. */
export function countryCode(text: string): string | undefined {
  codes ??= readCodes();
  return codes.get(text.trim().toLowerCase());
}

function readCodes(): Map<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const found = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // X and the ends of the alphabet are kept for private use; others have been replaced by a newer code.
    const name = /^(?:X|AA|ZZ|Q[M-Z]|EU|EZ|UN)/.test(code) ? undefined : names.of(code);
    if (name === undefined || Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
    found.set(code.toLowerCase(), code);
    found.set(name.toLowerCase(), code);
  }
  return found;
}
