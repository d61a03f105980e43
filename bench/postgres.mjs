// The PostgreSQL of the tests, for benches: its program is TypeScript, so it is built into a temporary file first.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const support = fileURLToPath(new URL("../test/support/", import.meta.url));

/** `url`, `stop()`, `start()` and `remove()` of the server, and `query(url, ...statements)`. */
export async function startPostgres() {
  // Beside the sources, so that packages are found as they are from there.
  const folder = mkdtempSync(join(support, "built-"));
  try {
    const outfile = join(folder, "postgres.mjs");
    const entryPoints = [join(support, "postgres.ts")];
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
    const { startPostgres: start, querySql } = await import(pathToFileURL(outfile).href);
    // On a disk, as operators have theirs.
    return { ...(await start(tmpdir())), query: querySql };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The process of which all others of the server are children. */
export async function postmasterOf({ url, query }) {
  const [{ pid }] = await query(url, "select pid from pg_stat_activity where backend_type = 'checkpointer'");
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]);
}
