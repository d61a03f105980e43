// The format network: which of a page's exchanges with servers are wanted, and what is told of each.
import * as z from "zod";

const networkKinds = ["json", "text", "html", "xml", "script", "style", "image", "font", "media", "other"] as const;

export type NetworkKind = (typeof networkKinds)[number];

const maxGlobs = 50;
const maxGlobLength = 1000;

export const networkOptions = {
  types: z
    .array(z.enum([...networkKinds, "all"]))
    .min(1)
    .max(64)
    .default(["json"])
    .describe("Kinds of content; json includes text that is an object or array"),
  urls: z
    .array(z.string().min(1).max(maxGlobLength))
    .max(maxGlobs)
    .optional()
    .describe("Globs over the absolute URL, any of which must fit: * within a segment, ** across"),
};

export const networkEntries = z
  .array(
    z.object({
      method: z.string(),
      url: z.string(),
      status: z.int(),
      contentType: z.string(),
      resourceType: z.string(),
      size: z.int().describe("Bytes of the body, decoded"),
      ms: z.number(),
      requestBody: z.string().optional(),
      body: z.string().optional().describe("Absent where there is no body, or it is too long"),
      encoding: z.enum(["utf8", "base64"]),
      truncated: z.boolean().optional().describe("The body is too long, or had not ended"),
    }),
  )
  .optional();
