// Rendered pages: CPU relative to plain playwright-core, memory after many pages, and what the browser costs before it is used.
// The whole process tree counts, with Chromium and our relay, but without the fixture site. As root, plain Chromium runs
// without its sandbox (it does not start with one); ours always has it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../dist/engines/browser/find-chromium.js";
import { median, startProgram } from "./measure.mjs";
import { listTree, treeCpuMs, treeMemoryMb } from "./process-tree.mjs";
import { startRenderedSite } from "./rendered-site.mjs";

const rounds = 3;
const pagesPerRound = 20;
const manyPages = 200;
const pagesPerLook = 25;
const restMs = 3000;

export async function measure() {
  const chromium = findChromium(null, process.env.PATH ?? "");
  if (chromium === null) throw new Error("this bench needs Chromium");
  const site = await startRenderedSite();
  try {
    const cpu = await compareCpu(chromium, site.url);
    const memory = await measureMemory(site.url);
    const start = await measureStart();
    return [
      {
        what: `${pagesPerRound} rendered pages with the start of the browser: CPU relative to plain \`playwright-core\` that waits and scrolls as we do`,
        ...cpu.same,
        unit: "times",
        bar: 0.9,
      },
      {
        what: "The same, relative to a bare `goto` and `content`, which misses what scripts add later",
        ...cpu.bare,
        unit: "times",
        bar: 1.25,
      },
      {
        what: `Peak private memory at rest during ${manyPages} rendered pages, above that after the first`,
        ...memory,
        unit: "MB",
        bar: 100,
      },
      { what: "Processes that a server starts before a page needs a browser", ...start, unit: "processes", bar: 0 },
    ];
  } finally {
    await site.close();
  }
}

const program = (name) => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));

function startOurs() {
  return startProgram([program("render-ours")], { until: /ready;/, env: { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } });
}

function startPlain(chromium, mode) {
  return startProgram([program("render-plain")], { until: /ready;/, env: { CHROMIUM: chromium, MODE: mode } });
}

/** They take turns, so that noise affects all of them equally. */
async function compareCpu(chromium, site) {
  const spend = async (running) => {
    await running.ask(`${pagesPerRound} ${site}\n`, /rendered;/);
    const cpu = treeCpuMs(running.pid);
    await running.stop();
    return cpu / pagesPerRound;
  };
  const costs = { ours: [], same: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    costs.bare.push(await spend(await startPlain(chromium, "bare")));
    costs.same.push(await spend(await startPlain(chromium, "same")));
    costs.ours.push(await spend(await startOurs()));
  }
  const our = median(costs.ours);
  const against = (their) => ({
    value: Math.round((our / their) * 100) / 100,
    detail: `${Math.round(our)} ms and ${Math.round(their)} ms of CPU per page`,
  });
  return { same: against(median(costs.same)), bare: against(median(costs.bare)) };
}

/** Sampled throughout, because a browser that was just replaced is small. */
async function measureMemory(site) {
  const running = await startOurs();
  const level = async (pages) => {
    await running.ask(`${pages} ${site}\n`, /rendered;/);
    await new Promise((done) => setTimeout(done, restMs));
    return treeMemoryMb(running.pid);
  };
  const idle = await level(1);
  const levels = [];
  for (let pages = 0; pages < manyPages; pages += pagesPerLook) levels.push(await level(pagesPerLook));
  await running.stop();
  const highest = Math.max(...levels);
  return {
    value: Math.round(highest - idle),
    detail: `${Math.round(idle)} MB, then at most ${Math.round(highest)} MB and ${Math.round(levels.at(-1))} MB at the end`,
  };
}

async function measureStart() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const server = await startProgram([cli, "serve"], {
    env: { PORT: "0", DATA_DIR: folder },
    until: /API page\s+(http:\S+)\/docs/,
  });
  // The server probes for namespaces after the start, without a browser; the probe has ended by then.
  await new Promise((done) => setTimeout(done, restMs));
  const processes = listTree(server.pid).length - 1;
  await server.stop();
  rmSync(folder, { recursive: true });
  return { value: processes };
}
