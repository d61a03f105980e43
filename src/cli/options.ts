// The options of all commands.
export const optionTypes = {
  role: { type: "string" },
  team: { type: "string" },
  name: { type: "string" },
  json: { type: "boolean" },
  output: { type: "string", short: "o" },
  search: { type: "string" },
  schema: { type: "string" },
  prompt: { type: "string" },
  limit: { type: "string" },
  sitemap: { type: "string" },
  wait: { type: "string" },
  screenshot: { type: "string" },
  ttl: { type: "string" },
  profile: { type: "string" },
  "no-subdomains": { type: "boolean" },
  follow: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export type Options = {
  [Name in keyof typeof optionTypes]?:
    | ((typeof optionTypes)[Name]["type"] extends "string" ? string : boolean)
    | undefined;
};
