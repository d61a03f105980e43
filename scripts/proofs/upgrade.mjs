// A rolling upgrade: the build of an earlier commit serves on PostgreSQL and works on a crawl while this version migrates the database
// and joins in. Both then serve and work together, nothing is lost or paid twice, and the old one leaves. The earlier commit is the
// last release, or the one that made the baseline of the tables before there is a release; it is taken from the history of the
// repository and installed beside it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../bench/measure.mjs";
import { startPostgres } from "../../bench/postgres.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const pages = 300;

export async function prove() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const database = await startPostgres();
  const site = await startProgram([join(root, "bench/fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  const started = [];
  try {
    const old = join(folder, "earlier");
    buildEarlier(old);
    return await upgrade({ old, database, site: site.match[1], folder, started });
  } finally {
    for (const server of started) await server.stop();
    await site.stop();
    await database.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim().split("\n");

function findEarlier() {
  const [latest] = git("tag", "--list", "v*", "--sort=-v:refname", "--merged", "HEAD^");
  const baseline = () =>
    git("log", "-S0001-release-0.1.0", "--format=%H", "--", "src/store/migrations/migrate.ts").at(-1);
  return latest || baseline();
}

function buildEarlier(folder) {
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", findEarlier()], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const quiet = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], quiet);
  execFileSync("npm", ["run", "build"], quiet);
}

async function upgrade({ old, database, site, folder, started }) {
  const start = async (place) => {
    const server = await startProgram([join(place, "dist/cli.js"), "serve"], {
      env: {
        PORT: "0",
        HOST: "127.0.0.1",
        DATA_DIR: join(folder, "data"),
        DATABASE_URL: database.url,
        ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
        TRAWL_API_KEYS: `upgrade:${key}:0`,
        TRAWL_SECRET: "x".repeat(32),
        OPEN_SEARCH: "0",
        LOG_LEVEL: "error",
      },
      until: /API page\s+(http:\S+)\/docs/,
    });
    started.push(server);
    return { ...server, url: server.match[1] };
  };
  const first = await start(old);
  const before = await tablesOf(database);
  const begun = await startCrawl(first, `${site}/slow1-${pages}/`);
  await untilCompleted(first, begun, 30);

  // Callers of the old version notice nothing of the migration.
  const calls = keepCalling(site, () => [first]);
  const second = await start(root);
  const after = await tablesOf(database);
  const duringMigration = await calls.stop();

  const together = keepCalling(site, () => [first, second]);
  const ids = [
    begun,
    await startCrawl(first, `${site}/slow2-${pages}/`),
    await startCrawl(second, `${site}/slow3-${pages}/`),
  ];
  for (const id of ids) await untilCompleted(second, id, pages);
  const bothServed = await together.stop();
  const seenByOld = await Promise.all(ids.map((id) => readCrawl(first, id)));
  const seenByNew = await Promise.all(ids.map((id) => readCrawl(second, id)));

  await first.stop();
  started.splice(
    started.findIndex(({ pid }) => pid === first.pid),
    1,
  );
  const last = await startCrawl(second, `${site}/slow4-${pages}/`);
  await untilCompleted(second, last, pages);
  ids.push(last);
  seenByNew.push(await readCrawl(second, last));

  const charges = await database.query(
    database.url,
    "select job_id, count(*)::int as charges, sum(credits)::int as credits from credit_ledger where endpoint = 'crawl' group by job_id",
  );
  const isWhole = ({ status, urls }) => status === "completed" && urls.length === pages && new Set(urls).size === pages;
  const isPaidOnce = (id) => {
    const row = charges.find(({ job_id }) => job_id === id);
    return row?.charges === pages && row.credits === pages;
  };
  const row = (subject, holds, figure) => ({ subject, holds, figure });
  return [
    row(
      "the new version migrates while the old one serves",
      after.length >= before.length && duringMigration.failed === 0,
      `${before.length} tables became ${after.length}; ${duringMigration.answered} calls of the old one answered, ${duringMigration.failed} failed`,
    ),
    row(
      "both serve",
      bothServed.failed === 0 && bothServed.answered > 20,
      `${bothServed.answered} scrapes answered, ${bothServed.failed} failed`,
    ),
    row(
      "every page once, read by the new one",
      seenByNew.every(isWhole),
      seenByNew.map(({ urls }) => urls.length).join(", "),
    ),
    row("the same, read by the old one", seenByOld.every(isWhole), seenByOld.map(({ urls }) => urls.length).join(", ")),
    row("one charge each", ids.every(isPaidOnce), charges.map((charge) => charge.charges).join(", ")),
  ];
}

async function tablesOf(database) {
  return database.query(database.url, "select tablename from pg_tables where schemaname = 'public'");
}

async function call({ url }, method, path, body) {
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, body: await response.json() };
}

async function startCrawl(server, url) {
  const { body } = await call(server, "POST", "/v2/crawl", { url, sitemap: "skip" });
  return body.id;
}

async function untilCompleted(server, id, count) {
  for (const end = Date.now() + 180_000; Date.now() < end; await wait(200)) {
    const { body } = await call(server, "GET", `/v2/crawl/${id}?limit=1`);
    if (body.completed >= count) return;
  }
  throw new Error(`the crawl ${id} does not come to ${count} pages`);
}

async function readCrawl(server, id) {
  const urls = [];
  let status = "";
  for (let path = `/v2/crawl/${id}?limit=100`; path !== ""; ) {
    const { body } = await call(server, "GET", path);
    status = body.status;
    urls.push(...body.data.map(({ metadata }) => metadata.sourceURL));
    path = body.next ? new URL(body.next).pathname + new URL(body.next).search : "";
  }
  return { status, urls };
}

/** Reads a page with each of these servers, again and again. */
function keepCalling(site, servers) {
  const counts = { answered: 0, failed: 0 };
  let isOver = false;
  const calling = (async () => {
    while (!isOver) {
      for (const server of servers()) {
        const url = `${site}/busy-1000/articles/page-${counts.answered % 1000}`;
        const { status } = await call(server, "POST", "/v2/scrape", { url, maxAge: 0 }).catch(() => ({ status: 0 }));
        counts[status === 200 ? "answered" : "failed"] += 1;
      }
      await wait(20);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await calling;
      return counts;
    },
  };
}
