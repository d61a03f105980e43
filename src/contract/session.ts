// What browser sessions share with the interaction on a scraped page: running code, the life of a session, its end.
import { z } from "zod";
import { success } from "./fields.ts";

const maxCodeBytes = 100_000;

export const executionFields = {
  code: z
    .string()
    .min(1)
    .max(maxCodeBytes)
    .refine((code) => Buffer.byteLength(code) <= maxCodeBytes, `Must be at most ${maxCodeBytes} bytes`)
    .describe("Program to run; `page` is the open page"),
  language: z.enum(["node", "python", "bash"]).default("node").describe("Language of the program"),
  timeout: z.number().min(1).max(300).default(30).describe("Seconds the program may take"),
};

export const sessionLife = {
  ttl: z.number().min(30).max(3600).default(600).describe("Seconds the session lives"),
  activityTtl: z.number().min(10).max(3600).default(300).describe("Seconds the session lives without being used"),
};

export const sessionLinks = {
  cdpUrl: z.string().optional().describe("WebSocket address for browser automation programs"),
  liveViewUrl: z.string().optional().describe("Where a person can watch"),
  interactiveLiveViewUrl: z.string().optional().describe("Where a person can take part"),
};

export const executionResult = z.object({
  success,
  stdout: z.string().optional(),
  result: z.unknown().optional().describe("Last value of the program"),
  stderr: z.string().optional(),
  exitCode: z.int().nullish(),
  killed: z.boolean().optional().describe("The program was ended: it took too long, or too much memory"),
  truncated: z.boolean().optional().describe("More was printed than is shown"),
  error: z.string().optional(),
});

export const sessionEnd = z.object({
  success,
  sessionDurationMs: z.int().optional().describe("How long the session lived"),
  creditsBilled: z.number().optional().describe("What the session cost"),
});
