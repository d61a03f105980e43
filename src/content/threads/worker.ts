// Runs in a worker thread of pool.ts.
import { type ContentRequest, type ContentResult, type ReadPage, readContent } from "../reading/read-content.ts";

export async function read(request: ContentRequest): Promise<ContentResult> {
  if (!request.reader) return readContent(request);
  const { readPage } = (await import(request.reader.module)) as { readPage: ReadPage };
  return readContent(request, readPage);
}
