// The crawl options that a language model may derive from a prompt: some of the fields of a crawl, with the same rules.
import * as z from "zod";
import { crawlFields } from "../fields/crawl-options.ts";
import { flattenIssues, type Issue } from "./issues.ts";

const { shape: fields } = z.object(crawlFields).pick({
  includePaths: true,
  excludePaths: true,
  regexOnFullURL: true,
  maxDiscoveryDepth: true,
  limit: true,
  sitemap: true,
  ignoreQueryParameters: true,
  crawlEntireDomain: true,
  allowSubdomains: true,
  allowExternalLinks: true,
  delay: true,
});

export type PromptOptions = Partial<{ [Name in keyof typeof fields]: z.output<(typeof fields)[Name]> }>;

/** As the model sees them. */
export function promptOptionsSchema(): Record<string, unknown> {
  return z.toJSONSchema(z.object(fields), { io: "input" });
}

/** Keeps the known, valid options; `issues` has what is wrong with the others. */
export function readPromptOptions(given: unknown): { options: PromptOptions; issues: Issue[] } {
  const values = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const options: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries<z.ZodType>(fields)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const result = field.safeParse(value);
    if (result.success) options[name] = result.data;
    else
      issues.push(
        ...flattenIssues(result.error.issues, value).map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      );
  }
  return { options: options as PromptOptions, issues };
}
