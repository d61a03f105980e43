// docs/scale.md reckons with what was measured, and with nothing else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const bench = join(import.meta.dirname, "../bench");
const { sources, readInputs, simulate, strainOf, describe: sections } = await import(join(bench, "scale-sim.mjs"));

interface Recorded {
  figures: { what: string; value: number }[];
}

it("takes every input from the recorded figures", () => {
  const inputs = readInputs();
  for (const [name, [file, what]] of Object.entries(sources as Record<string, [string, string]>)) {
    const recorded: Recorded = JSON.parse(readFileSync(join(bench, `results/${file}.json`), "utf8"));
    expect([name, inputs[name]]).toEqual([name, recorded.figures.find((figure) => figure.what === what)?.value]);
    expect(inputs[name]).toBeGreaterThan(0);
  }
});

it("needs as much more as there are more pages, and as each of them costs more", () => {
  const inputs = readInputs();
  const [one, ten] = [simulate(1e6, inputs), simulate(1e7, inputs)];
  for (const what of ["workerCores", "databaseCores", "rows", "blobGb", "logBytesPerSecond", "siteBytesPerSecond"])
    expect(ten[what] / one[what]).toBeCloseTo(10);
  expect(ten.cost.total / one.cost.total).toBeCloseTo(10);
  const dearer = simulate(1e6, { ...inputs, workerMs: 3 * inputs.workerMs });
  expect(dearer.workerCores / one.workerCores).toBeCloseTo(3);
  // The busiest hour has twice the mean, and a week is kept.
  expect(one.pagesPerSecond).toBeCloseTo((2 * 1e6) / 86_400, 1);
  expect(one.rows / inputs.rows / 7e6).toBeCloseTo(1, 1);
});

it("names what is full first", () => {
  const strain: { name: string; used: number }[] = strainOf(simulate(1e12));
  expect(strain[0]?.used).toBeGreaterThan(1);
  expect(strain.map(({ used }) => used)).toEqual(strain.map(({ used }) => used).toSorted((a, b) => b - a));
  expect(Object.keys(sections())).toEqual(["inputs", "plan", "limits", "examples"]);
});
