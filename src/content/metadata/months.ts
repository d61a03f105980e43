// Names of the months in the languages that pages often write dates in, without accents.

/** All names and their short forms, as alternatives of a pattern; longer ones first where one begins like another. */
export const monthNames =
  "january|janvier|januar|enero|gennaio|janeiro|januari|jan|february|fevrier|februar|febrero|febbraio|fevereiro|februari|feb|fev|march|mars|marz|maerz|marzo|marco|maart|mar|mrt|april|avril|abril|aprile|apr|avr|abr|may|mai|mayo|maggio|maio|mei|maj|june|juin|juni|junio|giugno|junho|jun|giu|july|juillet|juli|julio|luglio|julho|jul|lug|august|aout|agosto|augustus|augusti|aug|ago|september|septembre|septiembre|settembre|setembro|sept|sep|set|october|octobre|oktober|octubre|ottobre|outubro|oct|okt|ott|out|november|novembre|noviembre|novembro|nov|december|decembre|dezember|diciembre|dicembre|dezembro|desember|dec|dez|dic|des";

const firstLetters: [RegExp, number][] = [
  [/^(?:ja|en|ge)/, 1],
  [/^f/, 2],
  [/^(?:mar|maer|maar|mrt)/, 3],
  [/^(?:ap|av|abr)/, 4],
  [/^(?:ma|me)/, 5],
  [/^(?:jun|juin|gi)/, 6],
  [/^(?:ju|l)/, 7],
  [/^(?:au|ao|ag)/, 8],
  [/^s/, 9],
  [/^(?:o)/, 10],
  [/^n/, 11],
  [/^d/, 12],
];

/** 1 to 12, or 0 for what is no month. Lower case. */
export function monthNumberOf(name: string): number {
  return firstLetters.find(([letters]) => letters.test(name))?.[1] ?? 0;
}
