// The recording of a session in a web browser: the page that plays it, what it shows, and its pictures. The token in the URL is the key.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ReplayFiles } from "../operations/index.ts";
import { replayPage, replayPolicy } from "./replay-page.ts";

export interface ReplayDeps {
  replays: ReplayFiles;
  publicUrl: string | null;
}

export function addReplays(app: FastifyInstance, { replays, publicUrl }: ReplayDeps): void {
  const open = (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    const { token } = request.query as { token?: unknown };
    const baseUrl = publicUrl ?? `${request.protocol}://${request.host}`;
    return { id, token: typeof token === "string" ? token : "", baseUrl };
  };
  app.get("/replay/:id", async (request, reply) => {
    const { id, token, baseUrl } = open(request);
    await replays.read(id, token, baseUrl);
    return reply.header("content-security-policy", replayPolicy).type("text/html; charset=utf-8").send(replayPage);
  });
  app.get("/replay/:id/facts", async (request, reply) => {
    const { id, token, baseUrl } = open(request);
    return reply.header("cache-control", "no-store").send(await replays.read(id, token, baseUrl));
  });
  app.get("/replay/:id/:picture", async (request, reply) => {
    const { id, token } = open(request);
    const { picture } = request.params as { picture: string };
    const bytes = await replays.picture(id, token, picture);
    return reply.header("cache-control", "private, max-age=3600").type("image/jpeg").send(bytes);
  });
}
