// Makes the empty SQLite store of which each new one is a copy (src/store/engine/ready-made.ts).
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = join(resolve(process.argv[2] ?? "dist"), "store");
const target = join(folder, "engine/new-store.db");
// Or this one would be a copy of the one that was built before.
rmSync(target, { force: true });
const { openStore } = await import(pathToFileURL(join(folder, "index.js")).href);
const dataDir = mkdtempSync(join(tmpdir(), "trawl-new-store-"));
try {
  const store = await openStore({ dataDir });
  await store.close();
  copyFileSync(join(dataDir, "trawl.db"), target);
  // It holds nothing to hide, and who serves may be another user than the one who builds.
  chmodSync(target, 0o644);
} finally {
  rmSync(dataDir, { recursive: true });
}
