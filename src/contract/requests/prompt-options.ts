// What a language model may fill in, by the contract's own rules: some fields of a crawl from a prompt, and how a brand speaks.
import * as z from "zod";
import { brandManner } from "../fields/branding.ts";
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
  const { values, issues } = readFields(fields, given);
  return { options: values as PromptOptions, issues };
}

type BrandManner = Partial<{ [Name in keyof typeof brandManner]: z.output<(typeof brandManner)[Name]> }>;

export function brandMannerSchema(): Record<string, unknown> {
  return z.toJSONSchema(z.object(brandManner));
}

/** Keeps the valid values, each on its own, texts as `clean` leaves them. */
export function readBrandManner(given: unknown, clean: (text: string) => string): BrandManner {
  const said = fieldsOf(given);
  const parts = Object.entries(brandManner).map(([name, { shape }]) => {
    const texts = Object.entries(fieldsOf(said[name])).map(([field, value]) => [
      field,
      typeof value === "string" ? clean(value) : value,
    ]);
    return [name, readFields(shape, Object.fromEntries(texts)).values] as const;
  });
  return Object.fromEntries(parts.filter(([, values]) => Object.keys(values).length > 0));
}

function readFields(known: Readonly<Record<string, z.ZodType>>, given: unknown) {
  const said = fieldsOf(given);
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [name, field] of Object.entries(known)) {
    const value = said[name];
    if (value === undefined || value === null) continue;
    const result = field.safeParse(value);
    if (result.success) values[name] = result.data;
    else
      issues.push(
        ...flattenIssues(result.error.issues, value).map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      );
  }
  return { values, issues };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
