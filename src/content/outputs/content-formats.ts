// Written by `npm run generate`: every ContentFormat of this folder.
import { attributes } from "./attributes.ts";
import { audio } from "./audio.ts";
import { images } from "./images.ts";
import { links } from "./links.ts";
import { rawHtml } from "./raw-html.ts";
import { tables } from "./tables.ts";
import { video } from "./video.ts";

export const contentFormats = {
  attributes,
  audio,
  images,
  links,
  rawHtml,
  tables,
  video,
};
