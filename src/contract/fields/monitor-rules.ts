// Which changes of a page count, without a language model.
import * as z from "zod";

const words = (description: string) =>
  z.array(z.string().trim().min(1).max(500)).max(100).optional().describe(description);
const path = z.string().min(1).max(256);

export const changeRules = z
  .strictObject({
    ignore: z
      .array(z.string().min(1).max(512))
      .max(50)
      .optional()
      .describe("Regular expressions: text that matches is ignored"),
    selectors: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .optional()
      .describe("CSS selectors: only these parts count"),
    tolerance: z
      .record(path, z.number().min(0))
      .refine((given) => Object.keys(given).length <= 100, "At most 100 fields")
      .optional()
      .describe("By field: numbers that differ by no more than this are the same; `*` means every number"),
    minChangedShare: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("Share of the words that must have changed, from 0 to 1"),
    fields: z.array(path).max(100).optional().describe("Only these fields of the JSON data count"),
    appears: words("A change counts when one of these words appears"),
    disappears: words("A change counts when one of these words disappears"),
  })
  .meta({ id: "ChangeRules", description: "Which changes count, without a language model" });

export type ChangeRules = z.output<typeof changeRules>;
