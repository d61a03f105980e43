// What a part of a recording holds, as it is stored.
import type { OperationOutput } from "../../contract/index.ts";

export type Replay = OperationOutput<"readReplay">;
export type ReplayEvent = Replay["events"][number];

export interface PartContent {
  frames: { at: number; pageId: string; offset: number; length: number; width: number; height: number }[];
  events: ReplayEvent[];
  /** As they were last. */
  pages: Record<string, { url: string; title: string }>;
}

export const replayPurpose = (id: string) => `recording ${id}`;

const startOfFrame = new Set([0xc0, 0xc1, 0xc2, 0xc3]);

/** Of a JPEG; 0 where it does not say. */
export function pictureSize(jpeg: Buffer): { width: number; height: number } {
  let place = 2;
  while (place + 9 < jpeg.length && jpeg[place] === 0xff) {
    if (startOfFrame.has(jpeg[place + 1] ?? 0)) {
      return { height: jpeg.readUInt16BE(place + 5), width: jpeg.readUInt16BE(place + 7) };
    }
    place += 2 + jpeg.readUInt16BE(place + 2);
  }
  return { width: 0, height: 0 };
}
