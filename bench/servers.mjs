// Servers for benches, whose crawls are started and watched over HTTP.
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { send, startProgram } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** What a server of a bench sets otherwise is left as people get it. */
export const defaultSettings = {
  OPEN_SEARCH: undefined,
  OWN_INDEX: undefined,
  CONTENT_THREADS: undefined,
  LOG_LEVEL: undefined,
};

/** On this store: `{ dataDir }` or `{ databaseUrl }`. */
export async function startServer(place, env, role) {
  const server = await startProgram([cli, "serve", ...(role ? ["--role", role] : [])], {
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      TRAWL_API_KEYS: `bench:${key}:0`,
      TRAWL_SECRET: "x".repeat(32),
      RATE_LIMIT_STATUS: "0",
      OPEN_SEARCH: "0",
      OWN_INDEX: "0",
      CONTENT_THREADS: "1",
      LOG_LEVEL: "error",
      ...("dataDir" in place ? { DATA_DIR: place.dataDir } : { DATABASE_URL: place.databaseUrl }),
      ...env,
    },
    until: /(?:API page\s+|is processing.*)(http:\S+)\/(?:docs|health)/,
  });
  const call = async (method, path, body) =>
    JSON.parse(await send({ url: server.match[1] + path, method, headers, body: body && JSON.stringify(body) }));
  return { ...server, url: server.match[1], headers, call };
}

export async function untilCompleted(server, id, count) {
  for (;;) {
    const { completed } = await server.call("GET", `/v2/crawl/${id}?limit=1`);
    if (completed >= count) return completed;
    await wait(50);
  }
}

/** Crawls a site to its end; `onProgress` gets the number of stored pages. Resolves with the id of the job. */
export async function crawlWhole(server, site, { count, concurrency, onProgress = () => {} }) {
  const scrapeOptions = { formats: ["markdown"] };
  const body = { url: site, limit: count, maxConcurrency: concurrency, scrapeOptions };
  const { id } = await server.call("POST", "/v2/crawl", body);
  for (;;) {
    // Skips all pages, so that polling costs next to nothing.
    const { status, completed } = await server.call("GET", `/v2/crawl/${id}?skip=${count}&limit=1`);
    onProgress(completed);
    if (status === "scraping") {
      await wait(100);
      continue;
    }
    if (status !== "completed" || completed !== count) throw new Error(`${status} with ${completed} of ${count} pages`);
    return id;
  }
}
