// `npm run bench -- NAME` runs bench/NAME.mjs, prints its figures with their bars, and writes them to
// bench/results/NAME.json. It exits non-zero when a bar is missed. `npm run generate` then updates docs/benchmarks.md and README.md.
// `npm run bench -- all` runs every one, each in its own process, and prints one table at the end; it takes hours.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const folder = new URL(".", import.meta.url);
const notSubjects = [
  "run.mjs",
  "compare.mjs",
  "content-request.mjs",
  "install-rivals.mjs",
  "measure.mjs",
  "local-index.mjs",
  "postgres.mjs",
  "servers.mjs",
  "process-tree.mjs",
  "rendered-site.mjs",
  "scale-sim.mjs",
  "sitemap-site.mjs",
  "document-files.mjs",
];
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".mjs") && !notSubjects.includes(file))
  .map((file) => file.slice(0, -4));
const [name, ...words] = process.argv.slice(2);
if (name === "all") runAll();
else if (names.includes(name)) await runOne();
else {
  console.error(`npm run bench -- NAME, where NAME is "all" or one of: ${names.join(", ")}`);
  process.exitCode = 2;
}

function runAll() {
  for (const subject of names) {
    console.log(`\n${subject}`);
    const command = [...process.execArgv, fileURLToPath(import.meta.url), subject];
    if (spawnSync(process.execPath, command, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
  }
  console.log("\nall");
  for (const subject of names) {
    const path = resultPath(subject);
    if (existsSync(path)) printFigures(JSON.parse(readFileSync(path, "utf8")));
  }
}

async function runOne() {
  const { measure } = await import(new URL(`${name}.mjs`, folder).href);
  const figures = await measure(words);
  // A bench whose pages are not in this repository says so and has none without them.
  if (figures === null) return;
  const result = {
    command: `npm run bench -- ${[name, ...words].join(" ")}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${process.platform} ${process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    // A bar is a maximum unless the figure has isMinimum.
    figures: figures.map((figure) => ({
      ...figure,
      isMet: figure.isMinimum ? figure.value >= figure.bar : figure.value <= figure.bar,
    })),
  };
  writeFileSync(resultPath(name), `${JSON.stringify(result, null, 2)}\n`);
  printFigures(result);
  if (result.figures.some((figure) => !figure.isMet)) process.exitCode = 1;
}

function resultPath(subject) {
  return new URL(`results/${subject}.json`, folder);
}

function printFigures({ figures }) {
  for (const { what, value, unit, bar, isMinimum, isMet, detail } of figures) {
    console.log(
      `${isMet ? "met   " : "MISSED"}  ${what}: ${value} ${unit} (bar ${isMinimum ? "at least " : ""}${bar})${detail ? `  ${detail}` : ""}`,
    );
  }
}
