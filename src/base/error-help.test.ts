// docs/errors.md and the table of errors have the same codes, and what an entry tells to use exists.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verbs } from "../cli/command/verb-table.ts";
import { settingSections } from "../config.ts";
import { endpoints } from "../contract/index.ts";
import { errorCharges, errorTable, loadErrorHelp } from "./index.ts";

const root = join(import.meta.dirname, "../..");
const help = await loadErrorHelp();
const codes = Object.keys(errorTable);

it("every error code has an entry: what happened, causes, what to do, what it costs", () => {
  expect(Object.keys(help)).toEqual(codes);
  for (const [code, { happened, causes, fix, charge }] of Object.entries(help)) {
    for (const text of [happened, fix, ...causes]) expect(text, code).toMatch(/^[A-Z`].*[.]$/);
    expect(causes.length, code).toBeGreaterThan(0);
    expect(Object.keys(errorCharges), code).toContain(charge);
  }
});

it("docs/errors.md has a heading for every code of the table, and no other", () => {
  const page = readFileSync(join(root, "docs/errors.md"), "utf8");
  expect(Array.from(page.matchAll(/^## (.*)$/gm), ([, title]) => title)).toEqual(codes);
});

it("what an entry tells to use exists: settings, requests, verbs and pages", () => {
  const texts = Object.values(help).flatMap(({ happened, causes, fix }) => [happened, fix, ...causes]);
  const quoted = texts.flatMap((text) => Array.from(text.matchAll(/`([^`]+)`/g), ([, name]) => name ?? ""));
  const settings = new Set(Object.values(settingSections).flatMap((rows) => Object.values(rows).map(({ env }) => env)));
  const requests = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const ofNode = ["NODE_EXTRA_CA_CERTS"];
  const isThere = (name: string) => {
    if (/^[A-Z]+_[A-Z_]+(?:=\w+)?$/.test(name)) return settings.has(name.split("=")[0] ?? "") || ofNode.includes(name);
    if (/^(?:GET|POST|PUT|DELETE) /.test(name)) return requests.has(name);
    if (name.startsWith("trawl ")) return verbs.some((verb) => `trawl ${verb.name}` === name);
    return !name.startsWith("docs/") || existsSync(join(root, name));
  };
  expect(quoted.length).toBeGreaterThan(100);
  expect(quoted.filter((name) => !isThere(name))).toEqual([]);
});
