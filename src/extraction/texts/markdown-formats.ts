// Written by `npm run generate`: every MarkdownFormat of this folder.
import { chunks } from "./chunks.ts";

export const markdownFormats = {
  chunks,
};
