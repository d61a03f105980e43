// What the benches of the local index share: their own store, pages to put into it, and a query.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIndexWriter, parseQuery } from "../dist/search/index.js";
import { openStore } from "../dist/store/index.js";

const teamId = "bench";
const clock = { now: () => Date.now() };
const log = { warn: (...details) => console.log(...details) };
const { signal } = new AbortController();

/** Runs with a store in its own folder, which is removed afterwards. */
export async function withStore(work) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  try {
    const store = await openStore({ dataDir: folder });
    try {
      return await work(store, folder);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function makePage(url, title, headings, text) {
  const unsaid = { description: "", links: [], language: "en", published: null, modified: null };
  return { teamId, url, title, headings, text, ...unsaid };
}

/** CPU seconds. */
export async function indexPages(store, pages) {
  const writer = createIndexWriter({ store, clock, log });
  const before = process.cpuUsage();
  let added = 0;
  for (const page of pages) {
    writer.add(page);
    added += 1;
    if (added % 1000 === 0) await writer.flush();
  }
  await writer.stop();
  const { user, system } = process.cpuUsage(before);
  const { dropped } = writer.counts();
  if (dropped > 0) throw new Error(`${dropped} pages were not indexed`);
  return (user + system) / 1e6;
}

/** The results of a search, best first. */
export async function ask(index, text, limit) {
  const query = { teamId, query: parseQuery(text), limit, wantsPassages: true };
  return (await index.search(query, signal)).results;
}
