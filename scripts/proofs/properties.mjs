// A property test tries a hundred cases in a run of the tests, and here as many as it takes to be sure.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { proveTests, root } from "../vitest-report.mjs";

/** Words are parts of the names of files; without any, all. */
export function prove(words) {
  const files = readdirSync(join(root, "src"), { recursive: true })
    .map((name) => `src/${name}`)
    .filter((file) => file.endsWith(".test.ts") && readFileSync(join(root, file), "utf8").includes("propertyRuns("))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  return proveTests("properties", { properties: files });
}
