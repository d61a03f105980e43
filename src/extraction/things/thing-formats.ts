// Written by `npm run generate`: every ThingFormat of this folder.
import { menu } from "./menu.ts";
import { product } from "./product.ts";

export const thingFormats = {
  menu,
  product,
};
