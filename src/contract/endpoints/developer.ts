// Search for developers: documentation, issues, merged pull requests and READMEs, each result with the passages that fit.
import * as z from "zod";
import { queryBoolean, queryInteger, queryList, senderKeys, success } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { searchText } from "./research.ts";

const kinds = ["doc", "issue", "pull_request", "readme"] as const;
const k = z.int().min(1).max(100);
const passages = z.int().min(1).max(5);
const stars = z.int().min(0);
const types = z.array(z.enum(kinds)).min(1).max(64);
const repository = z
  .string()
  .max(256)
  .regex(/^(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+$/, "Must be owner/name");
const repos = z.array(repository).max(20);
/** A host; what else a URL has is left out. */
const source = z
  .string()
  .min(1)
  .max(512)
  .transform((text) => text.replace(/^https?:\/\//i, "").replace(/[/?#].*$/, ""))
  .pipe(z.hostname("Must be the host of a documentation site"))
  .transform((host) => host.toLowerCase());
const sources = z.array(source).max(20);
const topic = z.array(z.string().min(1).max(64)).max(8);

const words = {
  query: searchText.describe("What to search for"),
  skills: z.literal("only").optional().describe("Only files named SKILL.md"),
  language: z.string().min(1).max(64).optional().describe("Main programming language of the repository"),
  license: z.string().min(1).max(64).optional().describe("SPDX license of the repository"),
};
const said = {
  k: "Maximum number of results",
  passages: "Maximum number of passages of each result",
  types: "Kinds of results; all by default",
  repos: "Only issues, pull requests and READMEs of these repositories",
  sources: "Only documentation on these hosts",
  topic: "Topics that the repository has, all of them",
  min_stars: "Minimum number of stars of the repository",
  max_stars: "Maximum number of stars of the repository",
  archived: "Whether the repository is archived",
  fork: "Whether the repository is a fork",
};

const body = z.strictObject({
  ...words,
  k: k.default(10).describe(said.k),
  passages: passages.default(1).describe(said.passages),
  types: types.optional().describe(said.types),
  repos: repos.default([]).describe(said.repos),
  sources: sources.default([]).describe(said.sources),
  topic: topic.default([]).describe(said.topic),
  min_stars: stars.optional().describe(said.min_stars),
  max_stars: stars.optional().describe(said.max_stars),
  archived: z.boolean().optional().describe(said.archived),
  fork: z.boolean().optional().describe(said.fork),
  ...senderKeys,
});
const list = <List extends z.ZodType<unknown, string[]>>(inner: List) => queryList(inner, ",");
const query = z.strictObject({
  ...words,
  k: queryInteger(k).prefault(10).describe(said.k),
  passages: queryInteger(passages).prefault(1).describe(said.passages),
  types: list(types).optional().describe(said.types),
  repos: list(repos).prefault([]).describe(said.repos),
  sources: list(sources).prefault([]).describe(said.sources),
  topic: list(topic).prefault([]).describe(said.topic),
  min_stars: queryInteger(stars).optional().describe(said.min_stars),
  max_stars: queryInteger(stars).optional().describe(said.max_stars),
  archived: queryBoolean().optional().describe(said.archived),
  fork: queryBoolean().optional().describe(said.fork),
  origin: z.string().optional().describe("Who sends the request; accepted without effect"),
  integration: z.string().optional().describe("Who sends the request; accepted without effect"),
});

type Asked = Pick<z.output<typeof body>, "types" | "repos" | "sources" | "min_stars" | "max_stars">;

/** A restriction without the kind of results that it restricts. */
function checkAsked({ types, repos, sources, min_stars, max_stars }: Asked, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (repos.length > 0 && types?.every((type) => type === "doc"))
    refuse("repos", "Needs issue, pull_request or readme among types");
  if (sources.length > 0 && types && !types.includes("doc")) refuse("sources", "Needs doc among types");
  if (min_stars !== undefined && max_stars !== undefined && min_stars > max_stars)
    refuse("max_stars", "Must not be less than min_stars");
}

const response = z.object({
  success,
  results: z.array(
    z.object({
      id: z.string().describe("Begins with its kind: doc:, issue:, pull_request: or readme:"),
      url: z.string(),
      title: z.string().optional(),
      passages: z
        .array(z.object({ text: z.string(), citation_url: z.string().optional() }))
        .describe("In markdown, best first"),
      license: z.string().optional().describe("SPDX"),
    }),
  ),
  repos: z
    .array(
      z.object({
        repo: z.string(),
        indexed: z.boolean().describe("Whether it is known"),
        types: z.object({ issue: z.boolean(), pullRequest: z.boolean(), readme: z.boolean() }),
      }),
    )
    .optional()
    .describe("With repos: in their order"),
  sources: z
    .array(z.object({ source: z.string(), indexed: z.boolean().describe("Whether anything of it can be found") }))
    .optional()
    .describe("With sources: in their order"),
  warning: z.string().optional().describe("Sources that failed"),
});

const endpoint = section({
  tag: "Search",
  group: "search",
  rateGroup: "scrape",
  activity: "search",
  badRequest: "Invalid query parameters",
  response,
});
const about = "Search documentation, issues, pull requests and READMEs";

export const developerEndpoints = [
  endpoint("POST /v2/search/developer", "searchDeveloper", about, { body: body.superRefine(checkAsked) }),
  endpoint("GET /v2/search/developer", "searchDeveloper", about, { query: query.superRefine(checkAsked) }),
];
