// Loaded before everything else by each process that is measured: its counts are written when it ends, and the processes that it
// starts are measured too, whatever environment they are given.
import { ChildProcess } from "node:child_process";
import { basename } from "node:path";

const { NODE_V8_COVERAGE: folder, NODE_OPTIONS: options } = process.env;

// The runner ends its processes by a signal, upon which nothing would be written. Servers end by themselves then.
if (/vitest.*forks/.test(process.argv[1] ?? "")) process.once("SIGTERM", () => process.exit());

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function spawnMeasured(how) {
  return spawn.call(this, isMeasured(how) ? { ...how, envPairs: withFolder(how.envPairs ?? []) } : how);
};

/** Programs in sandboxes see neither this file nor the folder. */
function isMeasured({ file, args = [] }) {
  if (!/^node/.test(basename(file))) return false;
  return args.some((word) => /\/(dist|vitest)\//.test(word) && !word.includes("/inside/")) || args.includes("-");
}

function withFolder(pairs) {
  const own = pairs.filter((pair) => !/^NODE_(V8_COVERAGE|OPTIONS)=/.test(pair));
  return [...own, `NODE_V8_COVERAGE=${folder}`, `NODE_OPTIONS=${options}`];
}
