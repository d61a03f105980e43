// A form with a file, as fields and the file: a field that is repeated is a list.
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";
import type { UploadedFile } from "../contract/index.ts";

const mostFields = 200;
const mostFieldBytes = 1024 * 1024;

/** A field that is repeated becomes a list. */
export function fieldsOf(pairs: Iterable<readonly [name: string, value: unknown]>): Record<string, unknown> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** The first file counts; how many there are is for the reader to judge. */
export async function readForm(
  request: FastifyRequest,
  maxFileBytes: number,
): Promise<{ body: Record<string, unknown>; file: UploadedFile | null; fileCount: number }> {
  if (!request.isMultipart())
    throw new ServiceError("UNSUPPORTED_MEDIA_TYPE", "The body must be a form: multipart/form-data.");
  const fields: [string, unknown][] = [];
  let fileCount = 0;
  let file: UploadedFile | null = null;
  const limits = { fileSize: maxFileBytes, files: 5, fields: mostFields, fieldSize: mostFieldBytes };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") fileCount += 1;
      if (part.type !== "file") fields.push([part.fieldname, part.value]);
      else if (file !== null) part.file.resume();
      else file = { filename: part.filename ?? "", contentType: part.mimetype, bytes: await part.toBuffer() };
    }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 413) throw error;
    throw new ServiceError("BAD_REQUEST", "Bad request, malformed multipart body", { cause: error });
  }
  return { body: fieldsOf(fields), file, fileCount };
}
