// Words that this project does not use, because the field has another one for the same thing. Identifiers are split at their
// humps before they are compared, so `robotsGate` is "robots gate".
export interface BannedWord {
  word: RegExp;
  say: string;
  /** Names on the wire, names of others and ordinary uses. */
  allowed?: RegExp;
  /** Only there; elsewhere the word is an ordinary one. */
  where?: RegExp;
}

const bannedWords: readonly BannedWord[] = [
  { word: /\bladders?\b/, say: "fetch strategy" },
  { word: /\bclimb(?:s|ed|ing|ers?)?\b/, say: "try the next attempt" },
  {
    word: /\brungs?\b/,
    say: "attempt",
    allowed: /\.rungs?\b|[`"]rungs?[`"]|\brungs?\b(?= ?[=:?}])|\{[^{}]*\brungs\}`/,
  },
  { word: /\b(?:walls?|walled)\b/, say: "block page", allowed: /consent_wall|wall[- ]clock|\bwall ms\b/ },
  { word: /\b(?:gates?|gated)\b/, say: "check or limit", allowed: /\(check\|gate\|verif\)/ },
  { word: /\btrays?\b/, say: "media collector" },
  { word: /\bbells?\b/, say: "notifier" },
  { word: /\b(?:hears?|heard|hearers?)\b/, say: "receive, subscribe" },
  {
    word: /\bletters?\b/,
    say: "email",
    where: /^(?:src\/(?:adapters|config|monitors|operations\/monitor)\/|docs\/monitors)/,
  },
  { word: /\blessons?\b/, say: "observation" },
  { word: /\btall(?:y|ies|ied)\b/, say: "counters" },
  { word: /\bfames?\b/, say: "link statistics" },
  {
    word: /\b(?:page|stored|packed|change) marks?\b|\b(?:make|pack|find) marks?\b|\bmarks? of (?:a|the) page\b/,
    say: "fingerprint",
  },
  { word: /\bportions?\b/, say: "time slice or batch" },
  { word: /\btext numbers?\b|\bnumbers? (?:of|for) a text\b|\bline numbers of\b/, say: "hash" },
  { word: /\bword memor(?:y|ies)\b/, say: "word table" },
  { word: /\bcharacters? without width\b/, say: "zero-width characters" },
  { word: /\bread(?:s|ing)? (?:it |them |pages? )?aloud\b/, say: "screen readers" },
  { word: /\bthirteen letters\b/, say: "ROT13" },
  { word: /\bspar(?:e|es|ed|ing)\b/, say: "skipped, saved or fallback" },
  { word: /\blanes?\b/, say: "channel, queue or pool" },
  { word: /\blosses\b/, say: "lost leases" },
  {
    word: /\bshields?\b/,
    say: "content safety",
    allowed: /project-shield|ddos-shield|bunny-shield|g\.co\\?\/shield|shields\.io/,
  },
  { word: /\bhost ledgers?\b/, say: "host statistics" },
  { word: /\b(?:devtools?|node) doors?\b|\bdoors? of devtools\b/, say: "DevTools gateway, node endpoint" },
  { word: /\b(?:stands?|stood|standing)\b(?! (?:for|by)\b)/, say: "is, are", allowed: /\|stand\|/ },
  { word: /\bnobody\b/, allowed: /`nobody`/, say: 'who it is not: "no member", "no client"' },
  { word: /\b(?:is|are) none\b/, say: '"there is no X"' },
  { word: /\bof (?:its|their|his|our) own\b/, say: '"its own X"' },
  { word: /\bin work\b/, say: "in progress, active" },
  { word: /\b(?:learnt|in stead|need not|anew)\b/, say: "learned, instead, does not need to, again" },
];

/** Text with the humps of its identifiers split, in small letters. */
const splitHumps = (text: string) => text.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();

/** The banned words of a text, each with its line and what to say instead. */
export function bannedIn(file: string, text: string): string[] {
  const rows = bannedWords.filter(({ where }) => where?.test(file) ?? true);
  return splitHumps(text)
    .split("\n")
    .flatMap((line, place) =>
      rows.flatMap(({ word, say, allowed }) => {
        const rest = allowed === undefined ? line : line.replaceAll(new RegExp(allowed, "g"), "");
        const found = word.exec(rest);
        return found === null ? [] : [`${file}:${place + 1} says "${found[0]}"; say ${say}`];
      }),
    );
}
