// Runs in a worker thread of pool.ts.
import { workerData } from "node:worker_threads";
import { noteThread, type ThreadNote } from "../../base/index.ts";
import type { LanguageTable } from "../../detection/index.ts";
import { readModel } from "../main/stored-model.ts";
import type { ContentRequest, ContentResult } from "../reading/content-request.ts";
import type { PageReaderModule } from "../reading/page-reader.ts";
import { readContent } from "../reading/read-content.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** The bytes of its file. */
  model: Uint8Array;
  /** Its memory is shared. */
  languages: LanguageTable;
}

export interface ContentTask {
  request: ContentRequest<unknown>;
  /** Of the page reader's module, for requests with a `readerInput`. */
  readerUrl: string | null;
  note: ThreadNote;
}

const { model: modelFile, languages } = workerData as ThreadData;
const model = readModel(modelFile);

export async function read({ request, readerUrl, note }: ContentTask): Promise<ContentResult> {
  noteThread(note);
  if (readerUrl === null) return readContent(request, { model, languages });
  // The types of what comes back hold by PageReaderOf, where the URL was named.
  const { readPage } = (await import(readerUrl)) as PageReaderModule<unknown, unknown>;
  return readContent(request, { model, languages, readPage });
}
