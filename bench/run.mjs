// `npm run bench -- NAME` runs bench/NAME.mjs, prints its figures with their bars, and writes them to
// bench/results/NAME.json. It exits non-zero when a bar is missed. `npm run generate` then updates docs/benchmarks.md and README.md.
import { readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

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
if (!names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(", ")}`);
  process.exit(2);
}

const { measure } = await import(new URL(`${name}.mjs`, folder).href);
const figures = await measure(words);
// A bench whose pages are not in this repository says so and has none without them.
if (figures === null) process.exit(0);
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
writeFileSync(new URL(`results/${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
for (const { what, value, unit, bar, isMinimum, isMet, detail } of result.figures) {
  console.log(
    `${isMet ? "met   " : "MISSED"}  ${what}: ${value} ${unit} (bar ${isMinimum ? "at least " : ""}${bar})${detail ? `  ${detail}` : ""}`,
  );
}
if (result.figures.some((figure) => !figure.isMet)) process.exitCode = 1;
