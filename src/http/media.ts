// Images and files that documents link to. Whoever knows the URL may read them: it cannot be guessed and
// does not live long.
import type { FastifyInstance } from "fastify";
import { ServiceError } from "../base/index.ts";

export interface MediaDeps {
  /** By the last part of its URL; null for what does not exist or has expired. */
  readMedia(name: string): Promise<{ type: string; bytes: Uint8Array } | null>;
}

export function addMedia(app: FastifyInstance, { readMedia }: MediaDeps): void {
  app.get<{ Params: { name: string } }>("/media/:name", async ({ params: { name } }, reply) => {
    const found = await readMedia(name);
    if (!found) throw new ServiceError("NOT_FOUND", "This file does not exist or has expired.");
    return reply
      .headers({ "cross-origin-resource-policy": "cross-origin", "content-disposition": "inline" })
      .type(found.type)
      .send(Buffer.from(found.bytes));
  });
}
