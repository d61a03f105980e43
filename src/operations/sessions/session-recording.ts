// Records a session while it lasts: the pictures that the live view makes, fewer of them, and what happens in its pages. They are
// written every few seconds, so that a server that dies loses no more than those.
import { randomBytes } from "node:crypto";
import { logFailure, newId, type Repetition, repeat, secondMs } from "../../base/index.ts";
import type { BrowserSession } from "../../engines/index.ts";
import { hideSecretFields, startScreencast } from "../../engines/index.ts";
import type { RecordingRow, SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { type PartContent, pictureSize, type ReplayEvent, replayPurpose } from "./recording-parts.ts";

export interface RecordingOptions {
  isOn: boolean;
  /** Of the pictures of one session. */
  mostBytes: number;
  /** How long a recording can be read after its end. */
  keptMs: number;
}

export interface SessionRecording {
  note(event: Omit<ReplayEvent, "at" | "pageId"> & { pageId?: string }): void;
  /** Returns when everything is written. */
  stop(): Promise<void>;
}

/** Two pictures a second at most. */
const frameMs = 500;
const writeMs = 4 * secondMs;
const mostEvents = 5000;
const mostPages = 200;
const longestUrl = 2048;
const longestText = 300;

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(parts: OperationParts, { isOn, mostBytes, keptMs }: RecordingOptions) {
  const { store, clock, log, sealer } = parts;

  async function insert({ id, teamId, ttlMs }: Pick<SessionRow, "id" | "teamId" | "ttlMs">): Promise<RecordingRow> {
    const startedAt = clock.now();
    const recording: RecordingRow = {
      ...{ id, teamId, startedAt, endedAt: null, expiresAt: startedAt + ttlMs + keptMs },
      ...{ byteCount: 0, eventCount: 0, isCut: 0 },
      sealedSecret: sealer.seal(randomBytes(32).toString("base64url"), replayPurpose(id)),
    };
    await store.recordings.insert(recording);
    return recording;
  }

  /** What has been taken and is not yet written. */
  function collect(recording: RecordingRow) {
    let { byteCount, eventCount, isCut } = recording;
    let pictures: Buffer[] = [];
    let content: PartContent = { frames: [], events: [], pages: {} };
    let offset = 0;
    let latest: Buffer | null = null;
    let latestPage: string | null = null;
    const known = new Set<string>();
    const since = () => Math.max(0, clock.now() - recording.startedAt);

    return {
      frame(picture: Buffer, pageId: string): void {
        if (latest?.equals(picture) && latestPage === pageId) return;
        latest = picture;
        latestPage = pageId;
        if (byteCount + picture.length > mostBytes) {
          isCut = 1;
          return;
        }
        byteCount += picture.length;
        const { length } = picture;
        content.frames.push({ at: since(), pageId, offset, length, ...pictureSize(picture) });
        offset += length;
        pictures.push(picture);
      },

      page(pageId: string, url: string, title: string): void {
        if (!known.has(pageId) && known.size >= mostPages) return;
        known.add(pageId);
        content.pages[pageId] = { url: url.slice(0, longestUrl), title: title.slice(0, longestText) };
      },

      event({ pageId = latestPage ?? "", ...event }: Omit<ReplayEvent, "at" | "pageId"> & { pageId?: string }): void {
        const before = content.events.at(-1);
        // A field is typed into key by key: its latest text is one event.
        const isSame =
          event.type === "input" &&
          before?.type === "input" &&
          before.pageId === pageId &&
          JSON.stringify(before.target) === JSON.stringify(event.target);
        if (isSame) content.events.pop();
        else if (eventCount >= mostEvents) return;
        else eventCount += 1;
        content.events.push({ at: since(), pageId, ...event });
      },

      /** What is to be written now; null when there is nothing. */
      take() {
        const taken = { content, pictures, progress: { byteCount, eventCount, isCut } };
        const { frames, events, pages } = content;
        if (frames.length + events.length + Object.keys(pages).length === 0) return null;
        content = { frames: [], events: [], pages: {} };
        pictures = [];
        offset = 0;
        return taken;
      },
    };
  }

  return {
    async start(session: SessionRow, browser: BrowserSession): Promise<SessionRecording | null> {
      if (!isOn || !session.isRecorded) return null;
      const recording = await insert(session);
      const { id, teamId, expiresAt } = recording;
      const taken = collect(recording);
      const [screen, fields] = await Promise.all([browser.connect(), browser.connect()]);
      await hideSecretFields(fields);
      let shown: string | null = null;
      const listener = {
        onFrame(picture: Buffer) {
          if (cast.pageId !== null) taken.frame(picture, cast.pageId);
        },
        onPage({ url, title }: { url: string; title: string }) {
          const pageId = cast.pageId;
          if (pageId === null) return;
          taken.page(pageId, url, title);
          if (/^https?:/.test(url) && url !== shown)
            taken.event({ type: "navigate", url: url.slice(0, longestUrl), pageId });
          shown = url;
        },
        onQuestion: () => undefined,
      };
      let cast: { readonly pageId: string | null; close(): void } = { pageId: null, close: () => undefined };
      cast = await startScreencast(screen, listener, frameMs);
      let part = 0;
      let isDeleted = false;

      async function write(): Promise<void> {
        const next = isDeleted ? null : taken.take();
        if (next === null) return;
        const number = part;
        part += 1;
        const now = clock.now();
        const blobId = next.pictures.length === 0 ? null : newId(now);
        const data = Buffer.concat(next.pictures);
        const blob =
          blobId === null
            ? []
            : [await store.blobs.pack({ id: blobId, teamId, createdAt: now, expiresAt, data, isCompact: true })];
        await store.transaction(async ({ recordings, blobs }) => {
          if (!(await recordings.note(id, next.progress))) {
            isDeleted = true;
            return;
          }
          await blobs.put(blob);
          const content = JSON.stringify(next.content);
          await recordings.addPart({ recordingId: id, part: number, blobId, content });
        });
      }

      const writing: Repetition = repeat(writeMs, write, logFailure(log, "writing a recording"));
      return {
        note: (event) => taken.event(event),
        async stop() {
          cast.close();
          fields.close();
          await writing.stop();
          await write();
          const now = clock.now();
          await store.recordings.end(id, now, now + keptMs);
        },
      };
    },
  };
}
