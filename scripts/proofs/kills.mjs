// Work that outlives its server: every story of kills on both engines, with more kills than in a test run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

const stories = ["crawl", "extract", "models", "agent", "sessions", "monitors", "steering"];

/** Words are the stories to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  try {
    return (words.length === 0 ? stories : words).map((story) => proveStory(story, join(folder, `${story}.json`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function proveStory(story, report) {
  const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const env = { ...process.env, TRAWL_PROVE: "kills" };
  spawnSync("npm", [...words, `test/e2e/${story}-durability.test.ts`], { cwd: root, env, stdio: "inherit" });
  return readReport(story, report);
}
