// How well pages are understood: the figures of every section in bench/quality, from material with known answers. It lies at
// ../shared, or where TRAWL_SHARED says, and is no part of this repository; a section without its material is skipped.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const sections = new URL("quality/", import.meta.url);
const shared = process.env.TRAWL_SHARED
  ? pathToFileURL(`${resolve(process.env.TRAWL_SHARED)}/`)
  : new URL("../../shared/", import.meta.url);

export async function measure() {
  const figures = [];
  for (const file of readdirSync(sections).sort()) {
    const section = await import(new URL(file, sections).href);
    figures.push(...((await section.measure(shared)) ?? []));
  }
  return figures.length === 0 ? null : figures;
}
