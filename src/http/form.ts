// A form with a file, as fields and the file: a field that is repeated is a list.
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";
import type { UploadedFile } from "../contract/index.ts";

const mostFields = 200;
const mostFieldBytes = 1024 * 1024;

/** The first file counts. */
export async function readForm(
  request: FastifyRequest,
  maxFileBytes: number,
): Promise<{ body: Record<string, unknown>; file: UploadedFile | null }> {
  if (!request.isMultipart())
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "The body must be a form: multipart/form-data.");
  const fields = new Map<string, unknown[]>();
  let file: UploadedFile | null = null;
  const limits = { fileSize: maxFileBytes, files: 5, fields: mostFields, fieldSize: mostFieldBytes };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== "file") fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), part.value]);
      else if (file !== null) part.file.resume();
      else file = { filename: part.filename ?? "", contentType: part.mimetype, bytes: await part.toBuffer() };
    }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 413) throw error;
    throw new ServiceError("BAD_REQUEST", "Bad request, malformed multipart body", { cause: error });
  }
  const body = [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return { body: Object.fromEntries(body), file };
}
