// English words that tell nothing about a page's subject. Other languages' frequent words weigh little by their number.
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again against all also am an and any are as at be because been before being below between both " +
    "but by can could did do does doing done down during each either for from further had has have having he her here " +
    "hers him his how i if in into is it its itself just may me might more most must my no nor not now of off on once " +
    "only or other our ours out over own same shall she should so some such than that the their theirs them then there " +
    "these they this those through to too under until up upon very was we were what when where whether which while who " +
    "whom whose why will with within without would you your yours"
  ).split(" "),
);
