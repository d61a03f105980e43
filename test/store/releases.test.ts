// Every release's store is opened by today's code, upgraded, and gives the rows that the release wrote.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, type Store, type StoreOptions } from "../../src/store/index.ts";
import { removeFolder } from "../support/cleanup.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { releaseRows } from "./releases/release-rows.ts";

const folder = join(import.meta.dirname, "releases");
const releases = readdirSync(folder).filter((name) => /^\d/.test(name));

const kept: Record<string, (release: string) => Promise<{ options: StoreOptions; drop(): Promise<void> }>> = {
  async sqlite(release) {
    const dataDir = mkdtempSync(join(tmpdir(), "trawl-release-"));
    writeFileSync(join(dataDir, "trawl.db"), brotliDecompressSync(readFileSync(join(folder, release, "sqlite.db.br"))));
    return { options: { dataDir }, drop: async () => removeFolder(dataDir) };
  },

  async postgres(release) {
    const { url, drop } = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const line of readFileSync(join(folder, release, "postgres.jsonl"), "utf8")
      .trim()
      .split("\n")) {
      const [text, values] = JSON.parse(line);
      await client.query(text, values.map(decode));
    }
    await client.end();
    return { options: { databaseUrl: url, poolSize: 2 }, drop };
  },
};

const decode = (value: { base64: string } | null) => (value?.base64 ? Buffer.from(value.base64, "base64") : value);

/** Releases are compared by their numbers, as strings of digits with dots between. */
const isAtLeast = (release: string, since: string) => release.localeCompare(since, "en", { numeric: true }) >= 0;

const stores = releases.flatMap((release) => Object.keys(kept).map((engine) => ({ release, engine })));

describe.each(stores)("the store of release $release on $engine", ({ release, engine }) => {
  let store: Store;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const found = await kept[engine]?.(release);
    if (found === undefined) throw new Error(`no store of ${release} on ${engine}`);
    drop = found.drop;
    store = await openStore(found.options);
  });
  afterAll(async () => {
    await store.close();
    await drop();
  });

  const rows = Object.entries(releaseRows).filter(([, { since }]) => isAtLeast(release, since));
  it.each(rows)("gives its %s", async (_, { read, expected }) => {
    expect(await read(store)).toEqual(expectPart(expected));
  });
});

/** Objects may have further fields: later versions add some. */
function expectPart(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(expectPart);
  return expected !== null && typeof expected === "object" ? expect.objectContaining(expected) : expected;
}
