// Images and files that documents link to. Whoever knows the URL may read them: it cannot be guessed and
// does not live long.
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { ServiceError } from "../base/index.ts";

interface MediaFile {
  type: string;
  sizeBytes: number;
  /** Read while they are sent, so that a large file is never held whole. */
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface MediaDeps {
  /** By the last part of its URL; null for what does not exist or has expired. */
  readMedia(name: string): Promise<MediaFile | null>;
}

export function addMedia(app: FastifyInstance, { readMedia }: MediaDeps): void {
  app.get<{ Params: { name: string } }>("/media/:name", async ({ params: { name } }, reply) => {
    const found = await readMedia(name);
    if (!found) throw new ServiceError("NOT_FOUND", "This file does not exist or has expired.");
    return reply
      .headers({ "cross-origin-resource-policy": "cross-origin", "content-disposition": "inline" })
      .header("content-length", found.sizeBytes)
      .type(found.type)
      .send(Readable.from(found.parts));
  });
}
