// The plots of docs/benchmarks.md show figures of bench/results; `npm run check` compares the files themselves.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const page = read("docs/benchmarks.md");
const plots = Array.from(
  page.matchAll(/^!\[(.*)\]\((pictures\/bench-[\w-]+\.svg)\)$/gm),
  ([, alt = "", file = ""]) => ({
    alt,
    svg: read(`docs/${file}`),
  }),
);

interface Figure {
  value: number;
  detail?: string;
}

/** To three digits, as plots show them. */
const digits = (value: number) => (value > 100 ? Math.round(value) : Number(value.toPrecision(3)));

const known = new Set(
  readdirSync(join(root, "bench/results"))
    .filter((name) => !name.startsWith("prove-"))
    // A report of the suite may lie beside them.
    .flatMap((name): Figure[] => JSON.parse(read(`bench/results/${name}`)).figures ?? [])
    .flatMap(({ value, detail = "" }) => [value, ...Array.from(detail.matchAll(/[\d.]*\d/g), ([each]) => Number(each))])
    .map(digits),
);

describe("the plots of docs/benchmarks.md", () => {
  it("are a dozen, each beside others, in light and dark", () => {
    expect(plots).toHaveLength(12);
    for (const { svg, alt } of plots) {
      expect(svg.match(/class="ours"/g)?.length, alt).toBeGreaterThan(0);
      expect(svg.match(/class="theirs"/g)?.length, alt).toBeGreaterThan(0);
      expect(svg).toContain("prefers-color-scheme: dark");
    }
  });

  it("show figures that a bench has measured, and say them in words", () => {
    for (const { svg, alt } of plots) {
      const shown = Array.from(svg.matchAll(/class="(?:strong|soft)">([\d.]+)</g), ([, value]) => Number(value));
      expect(shown.length, alt).toBeGreaterThan(1);
      expect(shown.filter((value) => !known.has(value))).toEqual([]);
      expect(shown.filter((value) => !alt.includes(String(value)))).toEqual([]);
    }
  });
});
