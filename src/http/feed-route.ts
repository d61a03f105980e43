// Feeds of list pages, for reader apps. The token in the URL is the key, so no one without it learns whether there is a feed.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";

type FeedKind = "atom" | "json";

interface FeedFile {
  type: string;
  body: string;
  etag: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

export interface FeedDeps {
  readFeedFile(token: string, kind: FeedKind, baseUrl: string): Promise<FeedFile | null>;
  publicUrl: string | null;
}

export function addFeeds(app: FastifyInstance, { readFeedFile, publicUrl }: FeedDeps): void {
  app.get<{ Params: { file: string } }>("/feeds/:file", async (request, reply) => {
    const [, token = "", ending] = /^([\w-]+?)(?:\.(atom|json))?$/.exec(request.params.file) ?? [];
    const kind = (ending as FeedKind | undefined) ?? (acceptsJson(request) ? "json" : "atom");
    const baseUrl = publicUrl ?? `${request.protocol}://${request.host}`;
    const found = token === "" ? null : await readFeedFile(token, kind, baseUrl);
    if (!found) throw new ServiceError("FEED_NOT_FOUND", "This feed does not exist or was deleted.");
    reply.headers({
      etag: found.etag,
      "last-modified": new Date(found.changedAt).toUTCString(),
      "cache-control": "private, no-cache",
      ...(ending === undefined ? { vary: "accept" } : {}),
    });
    if (isKnown(request, found)) return reply.code(304).send();
    return reply.type(found.type).send(found.body);
  });
}

function acceptsJson({ headers }: FastifyRequest): boolean {
  const { accept = "" } = headers;
  return /application\/(?:feed\+)?json/i.test(accept) && !/xml/i.test(accept);
}

/** RFC 9110: a tag counts before a time. */
function isKnown({ headers }: FastifyRequest, { etag, changedAt }: FeedFile): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return tags.split(",").some((tag) => [etag, "*"].includes(tag.trim().replace(/^W\//, "")));
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && Math.floor(changedAt / 1000) * 1000 <= since;
}
