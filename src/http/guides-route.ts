// `/docs` and llms.txt. The room that answers is loaded with the first request.
import type { FastifyInstance } from "fastify";

interface AskedGuide {
  path: string;
  query: string;
  acceptEncoding: string;
  ifNoneMatch: string;
  baseUrl: string;
}

interface AnsweredGuide {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface GuideDeps {
  /** What a path below `/docs` stands for; also for one that does not exist. */
  answerGuide(asked: AskedGuide): Promise<AnsweredGuide>;
  publicUrl: string | null;
}

export function addGuides(app: FastifyInstance, deps: GuideDeps): void {
  for (const url of ["/docs", "/docs/*", "/llms.txt", "/llms-full.txt"]) {
    app.get(url, async (request, reply) => {
      const rest = (request.params as { "*"?: string })["*"];
      const { q } = request.query as { q?: string | string[] };
      const { status, headers, body } = await deps.answerGuide({
        // A slash at the end makes no difference, as everywhere.
        path: (rest === undefined ? url : `/docs/${rest}`).replace(/\/+$/, ""),
        query: [q ?? ""].flat().join(" "),
        acceptEncoding: String(request.headers["accept-encoding"] ?? ""),
        ifNoneMatch: String(request.headers["if-none-match"] ?? ""),
        baseUrl: deps.publicUrl?.replace(/\/$/, "") ?? `${request.protocol}://${request.host}`,
      });
      return reply.status(status).headers(headers).send(body);
    });
  }
}
