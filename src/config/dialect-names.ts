// The dialects that this server speaks. The settings have the names, because they are checked before anything is loaded; whoever
// else needs them takes the type, or the table of dialects, which is exhaustive by it.
export const dialectNames = [
  ...(["searxng", "tavily", "exa", "jina", "openwebui", "docling", "tika", "rerank"] as const),
  "browserless",
] as const;
export type DialectName = (typeof dialectNames)[number];

export function isDialectName(name: string): name is DialectName {
  return (dialectNames as readonly string[]).includes(name);
}
