// Uploads in two steps: a caller gets a URL, sends the file to it without a key, and names it when it asks for the parse.
import { randomUUID } from "node:crypto";
import type { Caller } from "../../accounts/index.ts";
import { isoTime, minuteMs, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { Pages } from "../../pages/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

/** How long a file can be sent, and then be parsed. */
const uploadAgeMs = 30 * minuteMs;
const refPrefix = "up_";

/** What is known of an upload before its file is there. */
interface Announced {
  teamId: string;
  fileId: string;
  filename: string;
  contentType: string;
}

export type Uploads = ReturnType<typeof createUploads>;

export function createUploads({ store, clock }: OperationParts, { maxBytes }: { maxBytes: number }) {
  async function put(id: string, teamId: string, data: Uint8Array): Promise<void> {
    const now = clock.now();
    const blob = await store.blobs.pack({ id, teamId, createdAt: now, expiresAt: now + uploadAgeMs, data });
    await store.blobs.put([blob]);
  }

  async function announced(uploadId: string): Promise<Announced> {
    const bytes = await store.blobs.getById(noteId(uploadId), clock.now());
    if (!bytes) throw new ServiceError("UPLOAD_NOT_FOUND");
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  }

  return {
    async create(input: OperationInput<"createUpload">, caller: Caller): Promise<OperationOutput<"createUpload">> {
      const { filename, contentType = "application/octet-stream" } = input;
      const { teamId, baseUrl } = caller;
      const uploadId = randomUUID();
      const note: Announced = { teamId, fileId: `upload-file-${randomUUID()}`, filename, contentType };
      await put(noteId(uploadId), teamId, Buffer.from(JSON.stringify(note)));
      return {
        success: true,
        data: {
          uploadUrl: `${baseUrl}/v2/parse/upload/${uploadId}`,
          uploadRef: refPrefix + uploadId,
          method: "PUT",
          headers: { "Content-Type": contentType },
          expiresAt: isoTime(clock.now() + uploadAgeMs),
          maxSizeBytes: maxBytes,
        },
      };
    },

    /** Throws unless there is such an upload: its file is not even received then. */
    async require(uploadId: string): Promise<void> {
      await announced(uploadId);
    },

    async receive({ uploadId, bytes }: OperationInput<"receiveUpload">): Promise<OperationOutput<"receiveUpload">> {
      const { teamId, fileId } = await announced(uploadId);
      if (bytes.byteLength === 0) throw new ServiceError("PARSE_FILE_EMPTY", undefined, { status: 400 });
      // Sent again: the last one counts.
      await store.blobs.delete(teamId, fileId);
      await put(fileId, teamId, bytes);
      return { success: true };
    },

    async find(teamId: string, uploadRef: string): Promise<Parameters<Pages["obtainFile"]>[0]["file"]> {
      const uploadId = uploadRef.startsWith(refPrefix) ? uploadRef.slice(refPrefix.length) : "";
      const note = await announced(uploadId);
      if (note.teamId !== teamId) throw new ServiceError("UPLOAD_NOT_FOUND");
      const bytes = await store.blobs.get(teamId, note.fileId, clock.now());
      if (!bytes) throw new ServiceError("UPLOAD_NOT_FOUND", "No file was uploaded to the URL of this upload.");
      return { filename: note.filename, contentType: note.contentType, bytes };
    },
  };
}

/** Ids of other blobs never look like this, so no upload can name them. */
function noteId(uploadId: string): string {
  return `upload-${uploadId}`;
}
