// A tool as clients list it: what a model reads before it chooses, so every word of it takes room in its context.
import { requestFields } from "../contract/index.ts";
import { briefSchema } from "./brief-schema.ts";
import type { McpTool } from "./tool.ts";

export const usualTokens = 20_000;
export const [fewestTokens, mostTokens] = [200, 1_000_000];

const readingFields = {
  maxTokens: {
    type: "integer",
    minimum: fewestTokens,
    maximum: mostTokens,
    default: usualTokens,
    description: "Longest answer, in tokens",
  },
  cursor: { type: "string", description: "Cursor of the previous response, to read on" },
};

export function describeTool(tool: McpTool, prefix: string) {
  const { fields } = requestFields(tool.operation);
  const shown = Object.fromEntries(
    tool.shows.flatMap((name) =>
      fields[name] ? [[name, briefSchema(name, fields[name], tool.name === "scrape")]] : [],
    ),
  );
  return {
    name: prefix + tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: "object" as const,
      properties: { ...tool.own, ...shown, ...readingFields },
      required: [...tool.required],
    },
    outputSchema: {
      type: "object" as const,
      properties: { cursor: { type: ["string", "null"] } },
      required: ["cursor"],
    },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.readOnly,
      destructiveHint: tool.name.endsWith("_delete"),
      openWorldHint: tool.openWorld,
      idempotentHint: tool.idempotent,
    },
  };
}
