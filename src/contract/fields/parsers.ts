// How files are parsed. A bare name means the object with that type.
import * as z from "zod";
import { deepFrozen } from "./deep-frozen.ts";

const recognizer = z
  .enum(["tesseract", "model"])
  .optional()
  .describe("What reads text in images: tesseract (the default), or the configured language model, if it takes images");

const pdf = z
  .strictObject({
    type: z.literal("pdf"),
    mode: z
      .enum(["fast", "auto", "ocr"])
      .default("auto")
      .describe("fast reads the text layer, ocr recognizes text in images, auto chooses"),
    firstPage: z.int().min(1).max(10_000).optional().describe("Page to start at"),
    maxPages: z.int().min(1).max(10_000).optional().describe("Maximum number of pages to read"),
    recognizer,
    pages: z.boolean().default(false).describe("Also return each page separately"),
    blocks: z.boolean().default(false).describe("Also return the layout blocks"),
    pageMarkers: z.boolean().default(false).describe("Mark the start of each page in the markdown"),
    pageMarkdown: z.boolean().optional().describe("Deprecated: use pages"),
  })
  .transform(({ pageMarkdown, ...parser }) => ({ ...parser, pages: parser.pages || pageMarkdown === true }));

const image = z
  .strictObject({ type: z.literal("image"), recognizer })
  .transform((named): typeof named & { isDefault?: true } => named);

/** What is attached to a mail is read, too, instead of listed only. */
const attachments = z.strictObject({ type: z.literal("attachments") });

const parserObject = z.discriminatedUnion("type", [pdf, image, attachments]);
export type Parser = z.output<typeof parserObject>;

const parser = z
  .union([
    z.enum(["pdf", "image", "attachments"]).transform((type): Parser => parserObject.parse({ type })),
    parserObject,
  ])
  .meta({
    id: "Parser",
    description: "A file parser: its name, or an object with its name as type and its options",
  });

/** An image that a caller names is read by default; a crawl, which would find many, must be told to follow links to them. */
const byDefault: Parser[] = [parserObject.parse({ type: "pdf" }), { type: "image", isDefault: true }];

export const parsers = z
  .array(parser)
  .max(16)
  .default(deepFrozen(byDefault))
  .meta({ absentMeans: ["pdf", "image"] })
  .describe("How to parse files; with an empty list, a PDF is returned as base64 and an image is refused");
