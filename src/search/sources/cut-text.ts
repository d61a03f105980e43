// Texts of sources, cut to what a result shows.

const longestAbstract = 480;
/** No tag of a text is longer; a `<` without an end is an ordinary character. */
const tag = /<\/?[a-zA-Z][^<>]{0,300}>/g;

/** Without tags, cut at a word. Character references stay: they are decoded where the result is made. */
export function shortText(text: string): string {
  return cutText(text.slice(0, 20_000).replace(tag, " ").replace(/\s+/g, " ").trim(), longestAbstract);
}

/** At a word, and within no character reference. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf(" ", longest);
  return `${text.slice(0, end > longest / 2 ? end : longest).replace(/&[#\w]{0,40}$/, "")} …`;
}
