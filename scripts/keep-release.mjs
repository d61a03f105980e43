// `node scripts/keep-release.mjs`: keeps a small store of this version under test/store/releases, on both databases, so that every
// later version is tested on upgrading it. Run it once per release; a kept store never changes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const releases = join(root, "test/store/releases");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = join(releases, version);
if (existsSync(folder)) {
  console.error(`${folder} exists: the store of ${version} is kept already.`);
  process.exit(1);
}

// Beside the sources, so that packages are found as they are from there.
const built = mkdtempSync(join(releases, "built-"));
try {
  const outfile = join(built, "make-release.mjs");
  const entryPoints = [join(releases, "make-release.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  const { makeRelease } = await import(pathToFileURL(outfile).href);
  await makeRelease(folder);
} finally {
  rmSync(built, { recursive: true });
}
