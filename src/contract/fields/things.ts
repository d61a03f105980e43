// A product and a menu, as the formats of these names return them.
import * as z from "zod";
import { optionalText } from "./outputs.ts";

const money = z.object({
  amount: z.number(),
  currency: optionalText.describe("ISO 4217 code; absent when the page names none"),
  formatted: optionalText,
});
const images = z.array(z.object({ url: z.string(), alt: optionalText }));
const availability = z.object({ inStock: z.boolean(), text: optionalText.describe("How the page says it") });

const variant = z.object({
  id: optionalText,
  sku: optionalText,
  title: optionalText,
  values: z
    .record(z.string(), z.string())
    .optional()
    .describe("What distinguishes the variant, such as color and size"),
  price: money.optional(),
  sale: z.object({ originalPrice: money }).optional().describe("Present when the price is reduced"),
  availability: availability.describe("When the page is silent, what has a price is in stock"),
  images: images.optional(),
});

export const productOutput = z
  .object({
    title: z.string(),
    brand: optionalText,
    category: optionalText,
    url: z.string().describe("The page's canonical URL, or its own"),
    description: optionalText,
    variants: z.array(variant).describe("At least one; at most 1000"),
  })
  .optional()
  .describe("Absent when the page sells nothing");

const optionGroup = z.object({
  id: z.string(),
  name: z.string(),
  required: z.boolean(),
  min: z.int().optional(),
  max: z.int().optional(),
  options: z.array(z.object({ id: z.string(), name: z.string(), price: money.optional() })),
});

const item = z.object({
  id: z.string(),
  name: z.string(),
  sourceUrl: z.string(),
  description: optionalText,
  url: optionalText,
  price: money.optional().describe("Of several sizes the lowest"),
  images,
  availability,
  dietary: z.array(
    z.enum(["vegetarian", "vegan", "gluten-free", "dairy-free", "nut-free", "halal", "kosher", "spicy", "organic"]),
  ),
  calories: z.number().optional().describe("In kcal"),
  optionGroups: z.array(optionGroup).describe("Sizes and extras"),
  identifiers: z.object({ merchantItemId: optionalText }),
});

const location = z.union([
  z.object({
    street: optionalText,
    city: optionalText,
    region: optionalText,
    postalCode: optionalText,
    country: optionalText,
  }),
  z.string(),
]);

export const menuOutput = z
  .object({
    isMenu: z.boolean(),
    confidence: z.number().describe("0 to 1"),
    merchant: z.object({ name: z.string(), type: optionalText, location: location.optional() }),
    currency: optionalText.describe("ISO 4217 code"),
    sections: z
      .array(z.object({ id: z.string(), name: z.string(), description: optionalText, items: z.array(item) }))
      .describe("In the order of the page"),
    sourceUrl: z.string(),
  })
  .optional()
  .describe("Absent when the page has no menu");
