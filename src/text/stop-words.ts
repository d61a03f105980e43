// Words that say nothing about a page's subject, by language; folded.

const lists = {
  en:
    "a about above after again against all also am an and any are as at be because been before being below " +
    "between both but by can could did do does doing done down during each either for from further had has have " +
    "having he her here hers him his how i if in into is it its itself just may me might more most must my no nor " +
    "not now of off on once only or other our ours out over own same shall she should so some such than that the " +
    "their theirs them then there these they this those through to too under until up upon very was we were what " +
    "when where whether which while who whom whose why will with within without would you your yours",
  de:
    "aber als am auch auf aus bei das dass dem den der des die ein eine einem einen einer eines er es fur gibt " +
    "hat ich ihr im ist mit nach nicht oder ohne sich sie sind so uber und unter vom von wann war warum was " +
    "welche welcher welches wenn wer wie wir wo zu zum zur",
  fr:
    "au aux avec ce ces cette combien comment dans de des du elle en est et il ils la le les ne nous ou par pas " +
    "pour pourquoi quand que quel quelle qui quoi sans sont sur un une vous",
  es:
    "al como con cual cuando cuanto de del donde el en es la las lo los no o para por que quien se sin son su sus " +
    "un una unas unos y",
  it: "che con da degli dei del della delle di e ed gli il in la le lo nel nella non per un una",
  pt: "a as com da das de do dos e em na nas no nos o os que sem um uma",
  nl: "bij de een en het is met naar niet op te van voor zijn zonder",
};

/** For queries to the index, whose words may be names in another language: "die casting", "Van Gogh". */
export const englishStopWords: ReadonlySet<string> = new Set(lists.en.split(" "));

const all = new Set(Object.values(lists).flatMap((list) => list.split(" ")));

/** In any of the languages that most pages are written in. */
export function isStopWord(word: string): boolean {
  return all.has(word);
}
