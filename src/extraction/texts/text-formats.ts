// Written by `npm run generate`: every TextFormat of this folder.
import { chunks } from "./chunks.ts";

export const textFormats = {
  chunks,
};
