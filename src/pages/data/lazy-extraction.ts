// The extraction room, loaded with the first request that needs it, so that an idle server stays small.
import type { Extractor } from "../../extraction/index.ts";

type Room = typeof import("../../extraction/index.ts");

export type LazyExtraction = ReturnType<typeof createLazyExtraction>;

export function createLazyExtraction(load: () => Promise<Room>) {
  let opened: Promise<{ room: Room; extractor: Extractor }> | null = null;
  return {
    open() {
      opened ??= load().then((room) => ({ room, extractor: room.createExtractor() }));
      return opened;
    },
    async close(): Promise<void> {
      await (await opened)?.extractor.close();
    },
  };
}
