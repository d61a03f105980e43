// Makes the kept store of a release: scripts/keep-release.mjs runs it when a release is made.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { openPostgres } from "../../../src/store/engine/postgres.ts";
import type { EngineConnection, StoreEngine } from "../../../src/store/engine/store-engine.ts";
import { openStore, type Store } from "../../../src/store/index.ts";
import { createStore } from "../../../src/store/opening/open-store.ts";
import { startPostgres } from "../../support/postgres.ts";
import { releaseRows } from "./release-rows.ts";

/** `sqlite.db.br` is the database file; `postgres.jsonl` holds the statements that made the database, with their values. */
export async function makeRelease(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "sqlite.db.br"), brotliCompressSync(await makeSqlite()));
  const statements = (await makePostgres()).map((statement) => JSON.stringify(statement));
  writeFileSync(join(folder, "postgres.jsonl"), `${statements.join("\n")}\n`);
}

async function fill(store: Store): Promise<void> {
  try {
    for (const { write } of Object.values(releaseRows)) await write(store);
  } finally {
    await store.close();
  }
}

async function makeSqlite(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-release-"));
  try {
    await fill(await openStore({ dataDir }));
    return readFileSync(join(dataDir, "trawl.db"));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function makePostgres(): Promise<Sent[]> {
  const server = await startPostgres();
  try {
    const { engine, sent } = recordWrites(openPostgres(server.url));
    await fill(await createStore(engine));
    return sent;
  } finally {
    await server.remove();
  }
}

type Sent = [text: string, values: readonly unknown[]];

function recordWrites(engine: StoreEngine): { engine: StoreEngine; sent: Sent[] } {
  const sent: Sent[] = [];
  async function connect(): Promise<EngineConnection> {
    const connection = await engine.connect();
    const execute = connection.execute.bind(connection);
    connection.execute = (text, values) => {
      if (/^\s*(?:--|(?:create|insert|update|delete|alter|with)\b)/i.test(text)) sent.push([text, values.map(encode)]);
      return execute(text, values);
    };
    return connection;
  }
  return { engine: { ...engine, connect }, sent };
}

const encode = (value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
