// The tests of files whose subject is not the store run on one engine each time; here they run on both.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

/** A file that failed is proved again by itself. */
export const keepsOtherRows = true;

/** Words are parts of the names of files to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const files = ["test/e2e", "test/clients"]
    .flatMap((room) => readdirSync(join(root, room)).map((name) => `${room}/${name}`))
    .filter((file) => file.endsWith(".test.ts") && readFileSync(join(root, file), "utf8").includes("each(bystanders)"))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  try {
    return files.map((file, index) => proveFile(file, join(folder, `${index}.json`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function proveFile(file, report) {
  const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`, file];
  spawnSync("npm", words, { cwd: root, env: { ...process.env, TRAWL_PROVE: "stores" }, stdio: "inherit" });
  return readReport(file.replace(/^.*\/|\.test\.ts$/g, ""), report);
}
