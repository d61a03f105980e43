import type { ContentFormat } from "./content-format.ts";

export const rawHtml: ContentFormat<{ rawHtml: string }> = {
  fromTree: ({ text }) => ({ rawHtml: text }),
  fromText: ({ text }) => ({ rawHtml: text }),
  whenEmpty: ({ rawHtml: text }) => (text === "" ? "The page is empty." : null),
};
