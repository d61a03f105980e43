// A crawl from start to stored results: its CPU relative to a bare sketch and to Crawlee, with default settings, without the
// local index and on PostgreSQL, and what a page takes on disk. bench/growth.mjs shows that it stays so with many pages.
// Only the CPU of the server process counts (with its threads; it starts no other process), not that of the fixture site or
// the client; that of PostgreSQL is in the detail. All programs are warm, crawl identical sites with the same concurrency, and
// take turns.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { installRivals } from "./install-rivals.mjs";
import { cpuMs, folderSize, median, send, startProgram } from "./measure.mjs";
import { postmasterOf, startPostgres } from "./postgres.mjs";
import { treeCpuMs } from "./process-tree.mjs";
import { crawlWhole, defaultSettings, startServer } from "./servers.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const concurrency = 16;
const rounds = 5;
const pages = 2000;
const rivalPages = 400;
/** V8 compiles until then: of the first 2,000 pages each takes a seventh more CPU than later ones. */
const warmUpPages = 2000;
/** Longer than the delay before a page is indexed. */
const indexMs = 1500;
const settings = { ...defaultSettings, HOST_CONCURRENCY: String(concurrency) };

let siteCount = 0;

export async function measure() {
  installRivals();
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const fixture = await startProgram([file("fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  const newSite = (count, kind = "site") => {
    siteCount += 1;
    return `${fixture.match[1]}/${kind}${siteCount}-${count}/`;
  };
  try {
    const quiet = await compareCosts(folder, newSite);
    const loaded = await compareLoaded(folder, newSite);
    const postgres = await measurePostgres(newSite);
    const disk = await measureDisk(folder, newSite);
    return [...figuresOf(quiet, loaded), postgres, disk];
  } finally {
    await fixture.stop();
    rmSync(folder, { recursive: true });
  }
}

/** CPU in milliseconds per page. */
async function costOf(cpu, count, work) {
  const before = cpu();
  await work();
  return (cpu() - before) / count;
}

/** A server as a contender. Pages are indexed shortly after they are stored, so wait for that. */
async function serverOf(place, hasIndex, newSite) {
  const server = await startServer(place, { ...settings, ...(hasIndex ? {} : { OWN_INDEX: "0" }) });
  const read = async (count) => {
    await crawlWhole(server, newSite(count), { count, concurrency });
    if (hasIndex) await wait(indexMs);
  };
  return { pid: server.pid, count: pages, read, stop: server.stop };
}

async function programOf(newSite, count, program, ...words) {
  const { pid, ask, stop } = await startProgram([file(program), ...words, String(concurrency)], { until: /ready/ });
  const read = async (wanted) => {
    const [, done] = await ask(`${newSite(wanted)}\n`, /done (\d+)/);
    if (Number(done) !== wanted) throw new Error(`${program} ${words} read ${done} of ${wanted} pages`);
  };
  return { pid, count, read, stop };
}

/** They take turns, so that noise affects all of them equally. */
async function takeTurns(contenders) {
  const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  try {
    for (const { count, read } of Object.values(contenders)) await read(Math.min(count, warmUpPages));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { pid, count, read }] of Object.entries(contenders)) {
        costs[name].push(
          await costOf(
            () => cpuMs(pid),
            count,
            () => read(count),
          ),
        );
      }
    }
  } finally {
    for (const { stop } of Object.values(contenders)) await stop();
  }
  console.log(
    Object.entries(costs)
      .map(([name, values]) => `${name} ${values.map(round3).join(" ")}`)
      .join("; "),
  );
  return Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, median(values)]));
}

async function compareCosts(folder, newSite) {
  return takeTurns({
    plain: await serverOf({ dataDir: join(folder, "plain") }, false, newSite),
    usual: await serverOf({ dataDir: join(folder, "usual") }, true, newSite),
    sketch: await programOf(newSite, pages, "fixtures/crawl-sketch.mjs", join(folder, "sketch.db")),
    kreuzberg: await programOf(newSite, rivalPages, "rivals/crawlee.mjs", "kreuzberg"),
    turndown: await programOf(newSite, rivalPages, "rivals/crawlee.mjs", "turndown"),
  });
}

/** With as many busy programs beside it as there are cores here. */
async function compareLoaded(folder, newSite) {
  const busy = Array.from({ length: 2 }, () => spawn(process.execPath, ["-e", "for (;;) JSON.parse('[1]')"]));
  try {
    return await takeTurns({
      plain: await serverOf({ dataDir: join(folder, "loaded-plain") }, false, newSite),
      usual: await serverOf({ dataDir: join(folder, "loaded-usual") }, true, newSite),
    });
  } finally {
    for (const child of busy) child.kill();
  }
}

async function measurePostgres(newSite) {
  const database = await startPostgres();
  try {
    const server = await serverOf({ databaseUrl: database.url }, true, newSite);
    const postmaster = await postmasterOf(database);
    const costs = [];
    const theirs = [];
    try {
      await server.read(warmUpPages);
      for (let round = 0; round < rounds; round += 1) {
        const before = treeCpuMs(postmaster);
        costs.push(
          await costOf(
            () => cpuMs(server.pid),
            pages,
            () => server.read(pages),
          ),
        );
        theirs.push((treeCpuMs(postmaster) - before) / pages);
      }
    } finally {
      await server.stop();
    }
    return {
      what: "The same crawl with default settings on PostgreSQL: CPU per 1,000 stored pages",
      value: round3(median(costs)),
      unit: "s",
      bar: 9,
      detail: `besides ${round3(median(theirs))} s of PostgreSQL`,
    };
  } finally {
    await database.remove();
  }
}

/** What a crawl with default settings leaves in its folder, when the server has ended. */
/** Pages whose words differ: the others say the same again and again, so that next to nothing is left of them. */
async function measureDisk(folder, newSite) {
  const dataDir = join(folder, "disk");
  const newVaried = (count) => newSite(count, "varied");
  const server = await serverOf({ dataDir }, true, newVaried);
  await server.read(pages);
  await server.stop();
  const stored = folderSize(dataDir) / pages;
  const packed = gzipSync(await send({ url: newVaried(pages) })).byteLength;
  return {
    what: "Bytes on disk for a page of 25 KB whose words differ from those of others, relative to its gzip",
    value: round3(stored / packed),
    unit: "times",
    bar: 1.6,
    detail: `${Math.round(stored)} and ${packed} bytes`,
  };
}

function figuresOf({ plain, usual, sketch, kreuzberg, turndown }, loaded) {
  const against = (our, other, bar) => ({
    value: round3(our / other),
    detail: `${round3(our)} and ${round3(other)} ms of CPU per page`,
    unit: "times",
    bar,
  });
  return [
    {
      what: `Crawl of ${pages.toLocaleString("en")} pages of 25 KB, default settings: CPU per 1,000 stored pages`,
      value: round3(usual),
      unit: "s",
      bar: 6.5,
    },
    {
      what: "The same without the local index, relative to a one-pass sketch that stores its Markdown: CPU",
      ...against(plain, sketch, 1.8),
    },
    {
      what: "The same crawl with default settings, relative to one without the index: CPU",
      ...against(usual, plain, 1.15),
    },
    {
      what: "The same ratio while other programs keep both cores busy",
      ...against(loaded.usual, loaded.plain, 1.15),
    },
    {
      what: "The same crawl with default settings, relative to `@crawlee/cheerio` with `turndown`: CPU",
      ...against(usual, turndown, 0.12),
    },
    {
      what: "The same, relative to `@crawlee/cheerio` with `@kreuzberg/html-to-markdown-node`: CPU",
      ...against(usual, kreuzberg, 0.25),
    },
  ];
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
