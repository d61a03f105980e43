// The crawl options that a language model may choose for a caller: a fixed part of the fields of a crawl, with the same rules.
import { z } from "zod";
import { crawlFields } from "./crawl-options.ts";
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

export type CrawlWishes = Partial<{ [Name in keyof typeof fields]: z.output<(typeof fields)[Name]> }>;

/** What the model is told of them. */
export function crawlWishesSchema(): Record<string, unknown> {
  return z.toJSONSchema(z.object(fields), { io: "input" });
}

/** Takes what is given and known; `issues` say what of it breaks a rule. */
export function readCrawlWishes(given: unknown): { wishes: CrawlWishes; issues: Issue[] } {
  const values = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const wishes: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries<z.ZodType>(fields)) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const result = field.safeParse(value);
    if (result.success) wishes[name] = result.data;
    else
      issues.push(
        ...flattenIssues(result.error.issues, value).map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      );
  }
  return { wishes: wishes as CrawlWishes, issues };
}
