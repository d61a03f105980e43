// The process in which files are read, one at a time. It knows no setting, opens no connection and is thrown away after a fault.
import { FileFault, readFile } from "../../documents/index.ts";
import type { FileMessage, FileTask } from "./file-messages.ts";

function say(message: FileMessage): void {
  process.send?.(message);
}

process.on("message", (message) => {
  const { kind, bytes, options } = message as FileTask;
  readFile(kind, bytes, { ...options, onPage: (page, total) => say({ page, total }) }).then(
    (file) => say({ file }),
    (error: unknown) => {
      if (error instanceof FileFault) say({ fault: error.kind, message: error.message });
      else say({ fault: "internal", message: error instanceof Error ? error.message : String(error) });
    },
  );
});
// Nobody is left to read for.
process.on("disconnect", () => process.exit(0));
