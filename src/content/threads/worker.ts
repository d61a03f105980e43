// Runs in a worker thread of pool.ts.
import { workerData } from "node:worker_threads";
import { noteThread, type ThreadNote } from "../../base/index.ts";
import { readModel } from "../main/stored-model.ts";
import type { ContentRequest, ContentResult } from "../reading/content-request.ts";
import type { PageReaderModule } from "../reading/page-reader.ts";
import { readContent } from "../reading/read-content.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** The bytes of the model's file. */
  model: Uint8Array;
}

export interface ContentTask {
  request: ContentRequest<unknown>;
  /** Of the page reader's module, for requests with a `readerInput`. */
  readerUrl: string | null;
  note: ThreadNote;
}

const model = readModel((workerData as ThreadData).model);

export async function read({ request, readerUrl, note }: ContentTask): Promise<ContentResult> {
  noteThread(note);
  if (readerUrl === null) return readContent(request, { model });
  // The types of what comes back hold by PageReaderOf, where the URL was named.
  const { readPage } = (await import(readerUrl)) as PageReaderModule<unknown, unknown>;
  return readContent(request, { model, readPage });
}
