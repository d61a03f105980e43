// Bodies and abstracts of sources, cut to what a result shows.

const longest = 480;
/** No tag of a text is longer; a `<` without an end is a sign of its own. */
const tag = /<\/?[a-zA-Z][^<>]{0,300}>/g;

/** Without tags, cut at a word. Character references stay: they are decoded where the result is made. */
export function shortText(text: string): string {
  const plain = text.slice(0, 20_000).replace(tag, " ").replace(/\s+/g, " ").trim();
  if (plain.length <= longest) return plain;
  const end = plain.lastIndexOf(" ", longest);
  return `${plain.slice(0, end > longest / 2 ? end : longest).replace(/&[#\w]*$/, "")} …`;
}
