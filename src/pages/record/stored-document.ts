// The document of a page that was read before: as it was stored, or made again from the page's cached copy.
import { type Clock, ServiceError } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { Document } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import { assembleDocument } from "../document/answered-document.ts";
import { remakeDocument } from "../document/page-document.ts";
import type { StoredDetails } from "./stored-details.ts";

export interface StoredDocumentDeps {
  store: Pick<Store, "blobs">;
  clock: Clock;
  content: ContentPool;
}

export async function readStoredDocument(
  { store, clock, content }: StoredDocumentDeps,
  { teamId, blobId, details }: { teamId: string; blobId: string | null; details: StoredDetails },
  signal: AbortSignal,
): Promise<Document> {
  const bytes = blobId && (await store.blobs.get(teamId, blobId, clock.now()));
  if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
  const document = details.remake
    ? await remakeDocument(content, details.remake, bytes, { teamId, signal })
    : JSON.parse(Buffer.from(bytes).toString("utf8"));
  return assembleDocument(document, details);
}
