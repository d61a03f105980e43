// `npm run prove -- NAME` runs scripts/proofs/NAME.mjs: what takes too long, or needs too much, for every run of the tests.
// Prints a table, writes the last run to bench/results/prove-NAME.json, and exits non-zero when something does not hold.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { isAbsolute } from "node:path";

const folder = new URL("proofs/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.mjs$/, ""));
const [name, ...words] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`npm run prove -- NAME, where NAME is one of: ${names.join(", ")}`);
  process.exit(2);
}

const { prove, keepsOtherRows = false } = await import(new URL(`${name}.mjs`, folder).href);
const file = new URL(`../bench/results/prove-${name}.json`, import.meta.url);
const rows = keepsOtherRows ? withOthers(await prove(words)) : await prove(words);
// Results are committed: they name no path of this machine.
const shown = words.map((word) => (isAbsolute(word) ? "CHECKOUT" : word));
const result = {
  command: `npm run prove -- ${[name, ...(keepsOtherRows ? [] : shown)].join(" ")}`,
  date: new Date().toISOString().slice(0, 10),
  machine: `${process.platform} ${process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  rows,
};
writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
console.table(Object.fromEntries(rows.map(({ subject, details, ...row }) => [subject, row])));
for (const { subject, details = [] } of rows) for (const detail of details) console.log(`${subject}: ${detail}`);
if (rows.some(({ holds }) => !holds)) process.exitCode = 1;

/** Stories that were not chosen this time keep their last run. */
function withOthers(run) {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).rows : [];
  const others = before.filter(({ subject }) => !run.some((row) => row.subject === subject));
  return [...others, ...run];
}
