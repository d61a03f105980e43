// Every request as the first span of a trace, or as a part of the caller's own.
import type { FastifyInstance } from "fastify";
import type { OpenTrace, StartTrace } from "../base/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: OpenTrace | null;
  }
}

export function addTraces(app: FastifyInstance, startTrace: StartTrace): void {
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const { traceparent } = request.headers;
    const route = request.routeOptions.url ?? "none";
    request.trace = startTrace({
      name: `${request.method} ${route}`,
      kind: "server",
      traceparent: typeof traceparent === "string" ? traceparent : null,
      facts: { "http.request.method": request.method, "http.route": route },
      ids: { requestId: request.id },
    });
    request.trace.run(done);
  });
  // Reading a body leaves the flow of the program: events of the connection go on with it.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.trace === null) done();
    else request.trace.run(done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    request.trace?.end({ "http.response.status_code": statusCode }, statusCode >= 500 ? String(statusCode) : undefined);
    done();
  });
}
