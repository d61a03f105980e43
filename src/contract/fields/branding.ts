// How a page looks and how its brand speaks, as the format branding returns it.
import * as z from "zod";
import { optionalText } from "./outputs.ts";

const texts = z.array(z.string()).optional();
const number = z.number().optional();
const pixels = z
  .record(z.string(), z.number())
  .optional()
  .describe("By section, container, button and card, in pixels");

const buttonLook = z.object({
  background: z.string().describe("#RRGGBB, or transparent; so are the other colors"),
  textColor: z.string(),
  borderColor: z.string(),
  borderRadius: z.string(),
});

const phrase = z.string().trim().min(1).max(200).optional();

/** What only a language model can say. */
export const brandManner = {
  tone: z.object({
    voice: phrase.describe("How the brand speaks, in a few words"),
    emojiUsage: phrase.describe("How often and what for the page uses emoji, in a few words"),
  }),
  personality: z.object({
    tone: z.enum(["professional", "playful", "modern", "traditional", "minimalist", "bold"]).optional(),
    energy: z.enum(["low", "medium", "high"]).optional(),
    targetAudience: phrase.describe("Whom the brand addresses, in a few words"),
  }),
};

export const brandingOutput = z
  .object({
    colorScheme: z.enum(["light", "dark"]),
    brandName: optionalText,
    logo: optionalText.describe("URL, or data URI of a drawing in the page"),
    colors: z.object({
      primary: optionalText,
      secondary: optionalText,
      accent: optionalText,
      background: z.string(),
      textPrimary: z.string(),
      textSecondary: optionalText,
      link: optionalText,
      success: optionalText,
      warning: optionalText,
      error: optionalText,
    }),
    fonts: z.array(z.object({ family: z.string(), role: z.enum(["body", "heading", "code"]) })),
    typography: z.object({
      fontStacks: z.object({ primary: texts, heading: texts, body: texts, paragraph: texts }),
      lineHeights: z.object({ heading: number, body: number }).describe("Ratios to the font size"),
      fontFamilies: z.object({ primary: z.string(), heading: z.string(), code: optionalText }),
      fontSizes: z.object({
        h1: optionalText,
        h2: optionalText,
        h3: optionalText,
        body: z.string(),
        small: optionalText,
      }),
      fontWeights: z.object({ regular: z.number(), heading: number, light: number, medium: number, bold: number }),
    }),
    spacing: z.object({
      baseUnit: z.number().describe("In pixels"),
      borderRadius: z.string(),
      padding: pixels,
      margins: pixels,
      gridGutter: number.describe("Between columns, in pixels"),
    }),
    components: z.object({
      buttonPrimary: buttonLook.optional(),
      buttonSecondary: buttonLook.optional(),
      input: buttonLook.extend({ focusBorderColor: optionalText }).optional(),
    }),
    icons: z
      .object({ style: z.enum(["outline", "solid", "duotone"]).optional(), primaryColor: optionalText })
      .optional(),
    animations: z.object({ transitionDuration: z.string(), easing: optionalText }).optional(),
    layout: z
      .object({
        grid: z.object({ columns: z.int().optional(), maxWidth: optionalText }).optional(),
        headerHeight: optionalText,
        footerHeight: optionalText,
      })
      .optional(),
    images: z.object({
      logo: optionalText,
      logoHref: optionalText,
      logoAlt: optionalText,
      favicon: optionalText,
      ogImage: optionalText,
    }),
    ...z.object(brandManner).partial().shape,
  })
  .optional();
