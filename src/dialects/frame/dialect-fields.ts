// Fields that requests of several dialects have.
import * as z from "zod";
import { isRegularExpression } from "../../base/index.ts";

/** 1 to 2,000 characters that are not all spaces. */
export function searchQuery() {
  return z.string().min(1).max(2000).regex(/\S/, "Must not be blank").describe("Search query; operators hold");
}

export function silent() {
  return z.unknown().optional().describe("Accepted without effect");
}

/** Each name with a field that is accepted without effect. */
export function silentFields<const Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, silent()])) as Record<Name, ReturnType<typeof silent>>;
}

export function domainList(most: number, description: string) {
  return z.array(z.string().min(1).max(2048)).max(most).optional().describe(description);
}

export function patternList(description: string) {
  return z
    .array(z.string().max(1024).refine(isRegularExpression, "Must be a valid regular expression"))
    .max(100)
    .optional()
    .describe(description);
}

export const failureText = z.string().describe("What went wrong");
