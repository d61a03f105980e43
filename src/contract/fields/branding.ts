// How a page looks, as the format branding returns it.
import * as z from "zod";
import { optionalText } from "./outputs.ts";

const buttonLook = z.object({
  background: z.string().describe("#RRGGBB, or transparent; so are the other colors"),
  textColor: z.string(),
  borderColor: z.string(),
  borderRadius: z.string(),
});

export const brandingOutput = z
  .object({
    colorScheme: z.enum(["light", "dark"]),
    logo: optionalText.describe("URL, or data URI of a drawing in the page"),
    colors: z.object({
      primary: optionalText,
      secondary: optionalText,
      accent: optionalText,
      background: z.string(),
      textPrimary: z.string(),
      link: optionalText,
    }),
    fonts: z.array(z.object({ family: z.string(), role: z.enum(["body", "heading", "code"]) })),
    typography: z.object({
      fontFamilies: z.object({ primary: z.string(), heading: z.string(), code: optionalText }),
      fontSizes: z.object({ h1: optionalText, h2: optionalText, body: z.string() }),
      fontWeights: z.object({ regular: z.number(), heading: z.number().optional() }),
    }),
    spacing: z.object({ baseUnit: z.number().describe("In pixels"), borderRadius: z.string() }),
    components: z.object({
      buttonPrimary: buttonLook.optional(),
      buttonSecondary: buttonLook.optional(),
      input: buttonLook.optional(),
    }),
    images: z.object({ logo: optionalText, favicon: optionalText, ogImage: optionalText }),
  })
  .optional();
