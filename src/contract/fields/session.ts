// What browser sessions and interactions with a scraped page share: running code, the lifetime of a session, its end.
import * as z from "zod";
import { success } from "./common-fields.ts";

const maxCodeBytes = 100_000;

export const executionFields = {
  code: z
    .string()
    .min(1)
    .max(maxCodeBytes)
    .refine((code) => Buffer.byteLength(code) <= maxCodeBytes, `Must be at most ${maxCodeBytes} bytes`)
    .describe("Code to run; `page` is the open page"),
  language: z.enum(["node", "python", "bash"]).default("node").describe("Language of the code"),
  timeout: z.number().min(1).max(300).default(30).describe("Timeout of the code, in seconds"),
};

export const sessionLife = {
  ttl: z.number().min(30).max(3600).default(600).describe("Lifetime of the session, in seconds"),
  activityTtl: z
    .number()
    .min(10)
    .max(3600)
    .default(300)
    .describe("Seconds without activity after which the session ends"),
};

export const sessionLinks = {
  cdpUrl: z.string().optional().describe("WebSocket URL for automation tools (Chrome DevTools Protocol)"),
  liveViewUrl: z.string().optional().describe("URL of the live view"),
  interactiveLiveViewUrl: z.string().optional().describe("URL of the interactive live view"),
};

export const executionResult = z.object({
  success,
  stdout: z.string().optional(),
  result: z.unknown().optional().describe("The value that the code returned"),
  stderr: z.string().optional(),
  exitCode: z.int().nullish(),
  killed: z.boolean().optional().describe("The code was killed because it exceeded its time or memory"),
  truncated: z.boolean().optional().describe("The output was cut off"),
  error: z.string().optional(),
});

export const sessionEnd = z.object({
  success,
  sessionDurationMs: z.int().optional().describe("Duration of the session"),
  creditsBilled: z.number().optional().describe("Credits charged for the session"),
});
