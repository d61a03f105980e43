// Types, lint and format, unused code, import rules, generated files: all of it, also after a failure. Two parts at a time,
// because most of them keep one core busy; the longest begin.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter) };

const parts = [
  // By default the compiler starts four checkers, which work out the same types four times.
  "tsc --noEmit --checkers 1",
  "knip",
  "biome check .",
  "tsc -p src/dashboard/web --checkers 1",
  "tsc -p src/guides/web --checkers 1",
  "vitest run --project structure",
  "node scripts/generate.mjs --check",
];

/** Resolves with whether it passed. Its output is printed in one piece, so that two do not mix. */
function run(part) {
  const [command, ...words] = part.split(" ");
  const child = spawn(command, words, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((done) => {
    child.once("error", (error) => output.push(Buffer.from(`${error}\n`)));
    child.once("close", (code) => {
      console.log(`> ${part}`);
      process.stdout.write(Buffer.concat(output));
      done(code === 0);
    });
  });
}

const waiting = [...parts];
const failed = [];
async function runInTurn() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (!(await run(part))) failed.push(part);
  }
}
await Promise.all([runInTurn(), runInTurn()]);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
