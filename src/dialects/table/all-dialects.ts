// All dialects, by their names, and their rows as the documentation shows them.
import type { DialectName } from "../../config.ts";
import type { Endpoint } from "../../contract/index.ts";
import { browserless } from "../browserless/browserless.ts";
import { docling } from "../docling/docling.ts";
import { exa } from "../exa/exa.ts";
import type { Dialect } from "../frame/dialect.ts";
import { jina } from "../jina/jina.ts";
import { openwebui } from "../openwebui/openwebui.ts";
import { rerank } from "../rerank/rerank.ts";
import { searxng } from "../searxng/searxng.ts";
import { tavily } from "../tavily/tavily.ts";
import { tika } from "../tika/tika.ts";

const all: Readonly<Record<DialectName, Dialect>> = {
  searxng,
  tavily,
  exa,
  jina,
  openwebui,
  docling,
  tika,
  rerank,
  browserless,
};

/** The dialects of these names. */
export function openDialects(names: readonly DialectName[]): Dialect[] {
  return names.map((name) => all[name]);
}

/** The rows of dialects as rows of the endpoint table, for its documentation. */
export function describeDialects(dialects: readonly Dialect[]): Endpoint[] {
  return dialects.flatMap(({ rows, tag, failureSchema, group: usual }) =>
    rows.flatMap(({ method, paths, name, summary, rateGroup, group = usual, request, response, responseType, takes }) =>
      paths.map((path): Endpoint => {
        const part = method === "GET" ? { query: request } : { body: request };
        return {
          method,
          path,
          tag,
          summary,
          operation: name,
          ...part,
          ...(takes === "file" ? { bodyKind: "raw" as const } : takes === "form" ? { bodyKind: "form" as const } : {}),
          response,
          ...(responseType === undefined ? {} : { responseType }),
          failure: failureSchema,
          rateGroup,
          ...(rateGroup === null ? {} : { group }),
        };
      }),
    ),
  );
}
