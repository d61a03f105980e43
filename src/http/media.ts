// Pictures and files that documents show by their address. Whoever knows the address may read them: it cannot be guessed and
// does not live long.
import type { FastifyInstance } from "fastify";
import { ServiceError } from "../base/index.ts";

export interface MediaDeps {
  /** By the last part of its address; null for what was never there or is gone. */
  readMedia(name: string): Promise<{ type: string; bytes: Uint8Array } | null>;
}

export function addMedia(app: FastifyInstance, { readMedia }: MediaDeps): void {
  app.get<{ Params: { name: string } }>("/media/:name", async ({ params: { name } }, reply) => {
    const found = await readMedia(name);
    if (!found) throw new ServiceError("NOT_FOUND", "There is nothing here, or not any more.");
    return reply
      .headers({ "cross-origin-resource-policy": "cross-origin", "content-disposition": "inline" })
      .type(found.type)
      .send(Buffer.from(found.bytes));
  });
}
