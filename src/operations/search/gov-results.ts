// The results of a search that asked the sources of governments alone.
import { ServiceError } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";

type SearchAnswer = OperationOutput<"search">;

export function govResults({ data: { web = [] } }: SearchAnswer): OperationOutput<"searchGov">["data"]["web"] {
  return web.map(({ url, title, description }, index) => ({
    url,
    title,
    description,
    position: index + 1,
    category: "gov" as const,
  }));
}

/** Throws when every source that was asked failed and the local index had nothing. */
export function checkAnswered({ data, warning, trace = [] }: SearchAnswer): void {
  const asked = trace.flatMap(({ sourcesAsked = [] }) => sourcesAsked);
  const hasFailed = asked.length > 0 && asked.every(({ error }) => error);
  if (hasFailed && !data.web?.length) throw new ServiceError("SEARCH_UNAVAILABLE", warning ?? undefined);
}
