import { isAscii } from "./fold.ts";

/** How URLs spell letters that they avoid: ü as ue, and Cyrillic in Latin letters. */
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
