// How files found at an address are read (API.md 2.4). A bare name means the object with that type.
import { z } from "zod";
import { absentMeans } from "./fields.ts";

const pdf = z
  .strictObject({
    type: z.literal("pdf"),
    mode: z.enum(["fast", "auto", "ocr"]).default("auto").describe("Text layer only, by need, or always as pictures"),
    maxPages: z.int().min(1).max(10_000).optional().describe("Pages after this one are not read"),
    pages: z.boolean().default(false).describe("Also answer the pages one by one"),
    blocks: z.boolean().default(false).describe("Also answer the layout blocks"),
    pageMarkers: z.boolean().default(false).describe("Mark the start of each page in the markdown"),
    pageMarkdown: z.boolean().optional().describe("Old name of pages"),
  })
  .transform(({ pageMarkdown, ...parser }) => ({ ...parser, pages: parser.pages || pageMarkdown === true }));

const image = z.strictObject({ type: z.literal("image") });

const parserObject = z.discriminatedUnion("type", [pdf, image]);
export type Parser = z.output<typeof parserObject>;

const parser = z
  .union([z.enum(["pdf", "image"]).transform((type): Parser => parserObject.parse({ type })), parserObject])
  .meta({
    id: "Parser",
    description: "A reader of files: its name, or an object with its name as type and its options",
  });

export const parsers = absentMeans(z.array(parser).max(16), ["pdf"]).describe(
  "How files are read; an empty list answers a PDF as base64",
);
