// Layout of a file: the blocks of text on its pages and their boxes.
import * as z from "zod";

export const box = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe("Box on the page: left, top, right, bottom, in points from the top left");

export const fileBlocks = z.array(
  z.object({
    pageNumber: z.int(),
    width: z.number().nullable().describe("Of the page, in points"),
    height: z.number().nullable(),
    status: z.string(),
    items: z.array(
      z.object({
        id: z.string(),
        type: z.string().describe("heading, text, list_item, table, code, figure, formula"),
        label: z.string().describe("Name of the HTML element"),
        bbox: box.nullable(),
        content: z.string(),
        markdownSpan: z
          .tuple([z.number(), z.number()])
          .nullable()
          .describe("Its range in the markdown: first character, and the one after its last"),
        readingOrder: z.int(),
        source: z.string().describe("text of the file, ocr, or model where a language model read the page's image"),
        confidence: z.object({ layout: z.number().nullable(), ocr: z.number().nullable() }),
      }),
    ),
  }),
);
