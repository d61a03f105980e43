// Answers in words as they may be shown to people. A page may have talked the model into writing a picture or a link whose
// URL carries something away when it is shown or clicked: pictures go, and so do URLs that no page holds.

export interface PlainWords {
  text: string;
  /** Something was left out. */
  isShortened: boolean;
}

/** What a viewer loads, runs or sends by itself. */
const activeTag =
  /<\/?(?:a|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|track|video)\b[^<>]{0,4000}>?/gi;
const markdownLink = /(!?)\[([^[\]]{0,1000})\]\(\s{0,10}<?([^\s()<>]{0,4000})>?(?:\s[^()]{0,1000})?\)/g;
const bareUrlPattern = /(?:(?:https?|ftp|wss?):\/\/|\bwww\.|\bdata:[a-z]+\/|javascript:)[^\s<>"'`[\](){}]{1,4000}/gi;

/** What is left of one round may be put together to something that goes in the next. */
const maxRounds = 5;

/** `known`: what URLs may be taken from. */
export function plainWords(given: string, known: readonly string[]): PlainWords {
  const isKnown = (url: string) => known.some((text) => text.includes(url));
  let text = given;
  for (let round = 0; round < maxRounds; round += 1) {
    const left = withoutStrange(text, isKnown);
    if (left === text) break;
    text = left;
  }
  return { text: text.trim(), isShortened: text !== given };
}

function withoutStrange(given: string, isKnown: (url: string) => boolean): string {
  return (
    given
      .replace(activeTag, "")
      .replace(markdownLink, (link: string, picture: string, words: string, url: string) =>
        picture === "" && isKnown(url) ? link : words,
      )
      .replace(bareUrlPattern, (found) => {
        const url = found.replace(/[.,;:!?…]+$/, "");
        return isKnown(url) ? found : found.slice(url.length);
      })
      // A picture by reference becomes a link.
      .replaceAll("![", "[")
  );
}
