// A product and a menu, as the formats of these names return them.
import * as z from "zod";
import { optionalText } from "./outputs.ts";

const money = z.object({
  amount: z.number(),
  currency: optionalText.describe("ISO 4217 code"),
  formatted: z.string(),
});

const variant = z.object({
  id: z.string(),
  sku: optionalText,
  title: z.string(),
  values: z.record(z.string(), z.string()).describe("What distinguishes the variant, such as color and size"),
  price: money.optional(),
  sale: z.object({ originalPrice: money }).optional().describe("Present when the price is reduced"),
  availability: z.object({ inStock: z.boolean(), text: z.string() }).optional(),
  images: z.array(z.string()),
});

export const productOutput = z
  .object({
    title: z.string(),
    brand: optionalText,
    category: optionalText,
    url: optionalText,
    description: optionalText,
    variants: z.array(variant).describe("At least one; at most 1000"),
  })
  .optional()
  .describe("Absent when the page sells nothing");

const dish = z.object({
  id: z.string(),
  name: z.string(),
  description: optionalText,
  price: z.number().optional(),
});

export const menuOutput = z
  .object({
    isMenu: z.boolean(),
    confidence: z.number().describe("0 to 1"),
    merchant: optionalText,
    currency: optionalText.describe("ISO 4217 code"),
    sections: z.array(z.object({ id: z.string(), name: z.string(), items: z.array(dish) })),
    sourceUrl: z.string(),
  })
  .optional()
  .describe("Absent when the page has no menu");
