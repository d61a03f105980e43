// One worker that does nothing but take pages into work and end them, as fast as the store lets it: a thread of bench/scale.mjs.
import { parentPort, workerData } from "node:worker_threads";
import { claimPages } from "../../dist/jobs/engine/claim.js";
import { openStore } from "../../dist/store/index.js";

const { options, jobs, owner, warmUpMs, ms, room } = workerData;
const store = await openStore(options);
const claimOptions = {
  owner,
  room,
  teamLimit: 1000,
  leaseMs: 30_000,
  countAffordable: async () => Number.POSITIVE_INFINITY,
};
parentPort.postMessage("ready");
await new Promise((begin) => parentPort.once("message", begin));

const times = [];
let pages = 0;
const begin = performance.now() + warmUpMs;
const end = begin + ms;
for (let turn = Math.floor(Math.random() * jobs.length); performance.now() < end; turn += 1) {
  const job = jobs[turn % jobs.length];
  const startedAt = performance.now();
  const { tasks } = await store.transaction((all) => claimPages(all, job, claimOptions, Date.now()));
  if (startedAt >= begin) {
    times.push(performance.now() - startedAt);
    pages += tasks.length;
  }
  if (tasks.length === 0) continue;
  await store.transaction(async (all) => {
    await all.jobs.lock(job.id);
    const ended = await all.jobPages.end(job.id, tasks);
    await all.jobs.change(job.id, { active: -ended.size, completed: ended.size });
  });
}
await store.close();
parentPort.postMessage({ times, pages });
