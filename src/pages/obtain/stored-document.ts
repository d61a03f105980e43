// The document of a page that was read before: as it was stored, or made again from the page's cached copy.
import { type Clock, createTrace, ServiceError } from "../../base/index.ts";
import { type Document, scrapeOptions } from "../../contract/index.ts";
import type { Store } from "../../store/index.ts";
import type { Remake } from "../document/page-document.ts";
import { assembleDocument } from "../document/shown-document.ts";
import { plainPlan } from "../formats/plan-outputs.ts";
import { createMediaCollector } from "../media/kept-media.ts";
import type { StoredDetails } from "../record/stored-details.ts";
import type { MakeDocument } from "../stages/make-document.ts";

export interface StoredDocumentDeps {
  store: Pick<Store, "blobs">;
  clock: Clock;
  makeDocument: MakeDocument;
}

/** Throws 404 when it is gone. */
export type ReadStoredDocument = (
  stored: { teamId: string; blobId: string | null; details: StoredDetails },
  signal: AbortSignal,
) => Promise<Document>;

export function createStoredDocuments({ store, clock, makeDocument }: StoredDocumentDeps): ReadStoredDocument {
  async function remake({ page: head, content }: Remake, body: Buffer, teamId: string, signal: AbortSignal) {
    const { formats, ...asked } = content;
    const options = { ...scrapeOptions.parse({}), ...asked, formats: [] };
    const plan = plainPlan(formats);
    const work = { signal, endsAt: Number.POSITIVE_INFINITY, trace: createTrace() };
    const made = await makeDocument({
      page: { ...head, body },
      request: { teamId, keyId: null, url: head.url, options, plan },
      rendered: {},
      collector: createMediaCollector(options),
      wantsBetter: false,
      source: "stored",
      ...work,
    });
    if (made.ok) return made.document;
    throw new ServiceError(made.code, made.message);
  }

  return async ({ teamId, blobId, details }, signal) => {
    const bytes = blobId && (await store.blobs.get(teamId, blobId, clock.now()));
    if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const document = details.remake
      ? await remake(details.remake, body, teamId, signal)
      : JSON.parse(body.toString("utf8"));
    return assembleDocument(document, details);
  };
}
