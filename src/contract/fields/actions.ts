// Browser actions to run before the page is read.
import * as z from "zod";
import { screenshotOptions } from "./formats.ts";

const selector = z.string().min(1).max(4096);

const paper = {
  format: z
    .enum(["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"])
    .default("Letter")
    .describe("Paper size"),
  landscape: z.boolean().default(false).describe("Use landscape orientation"),
  scale: z.number().min(0.1).max(2).default(1).describe("Scale of the content"),
};

const wait = z
  .strictObject({
    type: z.literal("wait"),
    milliseconds: z.int().min(1).max(60_000).optional().describe("How long to wait"),
    selector: selector.optional().describe("CSS selector of an element to wait for, for at most 30 seconds"),
  })
  .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    message: "A wait action needs either milliseconds or selector",
  });

export const action = z
  .discriminatedUnion("type", [
    wait,
    z.strictObject({
      type: z.literal("click"),
      selector: selector.describe("CSS selector of the element to click"),
      all: z.boolean().default(false).describe("Click every match instead of only the first"),
    }),
    z.strictObject({ type: z.literal("write"), text: z.string().max(100_000).describe("Text to type") }),
    z.strictObject({ type: z.literal("press"), key: z.string().min(1).max(256).describe("Key to press") }),
    z.strictObject({
      type: z.literal("scroll"),
      direction: z.enum(["up", "down"]).default("down").describe("Direction to scroll"),
      selector: selector.optional().describe("CSS selector of an element to scroll instead of the page"),
    }),
    z.strictObject({ type: z.literal("screenshot"), ...screenshotOptions }),
    z.strictObject({ type: z.literal("scrape") }),
    z.strictObject({
      type: z.literal("executeJavascript"),
      script: z.string().min(1).max(100_000).describe("JavaScript to run in the page"),
    }),
    z.strictObject({ type: z.literal("pdf"), ...paper }),
    // An official client offers this name and not `pdf`.
    z
      .strictObject({ type: z.literal("generatePDF"), ...paper })
      .transform((request) => ({ ...request, type: "pdf" as const })),
  ])
  .meta({ id: "Action", description: "A browser action to run before the page is read" });

export type Action = z.output<typeof action>;
