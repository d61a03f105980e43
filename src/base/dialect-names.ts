// The dialects of other services that this server speaks. The names stand here because settings are checked before anything is
// loaded.
export const dialectNames = ["searxng", "tavily", "exa", "jina", "openwebui", "docling", "tika", "rerank"] as const;
export type DialectName = (typeof dialectNames)[number];

export function isDialectName(name: string): name is DialectName {
  return (dialectNames as readonly string[]).includes(name);
}
