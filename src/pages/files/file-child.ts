// The process in which files are read, one at a time. It knows no setting, opens no connection and is thrown away after a fault.
import { FileFault, readFile, type Transcribe } from "../../documents/index.ts";
import type { FileMessage, FileTask, RecognitionSettings, SeenImage } from "./file-messages.ts";
import { loadDecoder, pdfFolders } from "./pdf-folders.ts";
import { openRecognizer, type Recognizer } from "./recognizer.ts";

let recognizer: Recognizer | undefined;

function say(message: FileMessage): void {
  process.send?.(message);
}

/** Images that were shown, by their numbers. */
const shown = new Map<number, (markdown: string | null) => void>();
let lastShown = 0;

const transcribe: Transcribe = (image, page) =>
  new Promise((resolve) => {
    lastShown += 1;
    shown.set(lastShown, resolve);
    say({ show: lastShown, page, image });
  });

function receiveSeen({ seen, markdown }: SeenImage): void {
  shown.get(seen)?.(markdown);
  shown.delete(seen);
}

async function read({ kind, bytes, options, timeLimitMs, recognition, showsImages }: FileTask) {
  const endsAt = performance.now() + timeLimitMs;
  let hasResult = false;
  return readFile(kind, bytes, {
    ...options,
    tools: {
      folders: pdfFolders(),
      loadDecoder,
      ...(showsImages ? { transcribe } : {}),
      async recognize(image, search) {
        // While there is nothing to return, a page may take all the time of the request.
        const withinMs = hasResult ? endsAt - performance.now() : null;
        const words = await withTimeLimit(recognition, (one) => one.recognize(image, search), withinMs);
        hasResult = true;
        return words;
      },
    },
    onPage(page, total) {
      hasResult = true;
      say({ page, total });
    },
    hasTime: () => performance.now() < endsAt,
  });
}

async function withTimeLimit<Result>(
  settings: RecognitionSettings,
  start: (recognizer: Recognizer) => Promise<Result>,
  withinMs: number | null,
): Promise<Result> {
  recognizer ??= openRecognizer(settings);
  const work = start(recognizer);
  if (withinMs === null) return work;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the time was up")), withinMs);
  });
  return Promise.race([work, end])
    .catch(async (error: unknown) => {
      // What it still works on must not keep the next file waiting.
      await recognizer?.close();
      recognizer = undefined;
      throw error;
    })
    .finally(() => clearTimeout(timer));
}

process.on("message", (message) => {
  const told = message as FileTask | SeenImage;
  if ("seen" in told) return receiveSeen(told);
  read(told).then(
    (file) => say({ file }),
    (error: unknown) => {
      if (error instanceof FileFault) say({ fault: error.kind, message: error.message });
      else say({ fault: "internal", message: error instanceof Error ? error.message : String(error) });
    },
  );
});
// The server is gone.
process.on("disconnect", () => process.exit(0));
