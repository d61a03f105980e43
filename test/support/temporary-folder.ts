import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "./cleanup.ts";

/** A folder that is removed when the test ends. Its name is short: paths of sockets below it have at most 107 characters. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "t-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
