// A multipart request as one object: the fields of its `options` part (JSON text) and the file. Clients send the two
// parts in either order.
import type { FastifyRequest } from "fastify";
import { isObject, ServiceError } from "../base/index.ts";
import { type JsonLimits, readJsonBody } from "./json-body.ts";

/** The body in the form that the row's schema expects. The schema decides whether a file is required. */
export async function readUpload(request: FastifyRequest, limits: JsonLimits): Promise<unknown> {
  let file: { filename: string; contentType: string; bytes: Uint8Array } | undefined;
  let options: unknown = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === "file") {
        if (part.fieldname !== "file") part.file.resume();
        else file = { filename: part.filename, contentType: part.mimetype, bytes: await part.toBuffer() };
      } else if (part.fieldname === "options") {
        // A part with the JSON content type arrives parsed; it goes through the same limits.
        options = readJsonBody(typeof part.value === "string" ? part.value : JSON.stringify(part.value), limits) ?? {};
      }
    }
  } catch (error) {
    if (error instanceof ServiceError || (error as { statusCode?: number }).statusCode === 413) throw error;
    throw new ServiceError("BAD_REQUEST", "Bad request, malformed multipart body", { cause: error });
  }
  return isObject(options) && file ? { ...options, file } : options;
}
