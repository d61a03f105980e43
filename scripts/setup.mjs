// Everything a fresh clone needs before it can serve or test: packages, build, Chromium.
// Plain Node without packages, because it runs before there are any. Each step is skipped when its inputs have not
// changed since it last succeeded.
//   --threads  only what unit tests need that run the sources: threads and child processes, built from them
//   --tests    also install what test/clients needs
//   --rivals   also install what bench/rivals compares with
//   --verbose  say what was skipped too
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const options = new Set(process.argv.slice(2));
/** What browsers load has its own builds. */
const pageFolder = join(root, "src/dashboard/web");
const guidesFolder = join(root, "src/guides/web");
const guidesFile = join(root, "dist/guides/site.br");
const minimumNode = [20, 19];
const buildStamp = join(root, "dist/.trawl-setup");
const bundler = join(root, "scripts/bundle.mjs");
const typesRoller = join(root, "scripts/roll-up-types.mjs");
const storeMaker = join(root, "scripts/new-store.mjs");

checkNode();
if (options.has("--threads")) {
  buildThreads();
  process.exit();
}
// Beside everything else: nothing that is built here needs them.
const more = [
  options.has("--tests") && installPackages("client test packages", join(root, "test/clients")),
  options.has("--rivals") && installPackages("rivals for the bench", join(root, "bench/rivals")),
];
await installPackages("packages", root);
build();
buildDashboard();
packGuides();
findOrInstallChromium();
await Promise.all(more);

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  fail(`Trawl needs Node ${minimumNode.join(".")} or newer; this is ${process.versions.node}.`);
}

async function installPackages(what, folder) {
  const stamp = join(folder, "node_modules/.trawl-setup");
  const state = hash([join(folder, "package.json"), join(folder, "package-lock.json")]);
  if (isCurrent(stamp, state)) return skipped(what);
  say(`installing ${what} from the lock file`);
  // NODE_ENV=production would leave out the compiler.
  const words = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ["npm", []];
  const child = spawn(command, [...first, ...words], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((done, failed) => child.once("error", failed).once("exit", done)).catch(String);
  if (code !== 0) fail(`npm ci failed in ${folder} (${code}).`);
  writeFileSync(stamp, state);
}

function buildState() {
  return hash([
    join(root, "tsconfig.json"),
    join(root, "tsconfig.build.json"),
    join(root, "package-lock.json"),
    bundler,
    typesRoller,
    storeMaker,
    ...filesBelow(join(root, "src")).filter((file) => !file.startsWith(pageFolder) && !file.startsWith(guidesFolder)),
  ]);
}

/** Nothing else of the build changes, so that the next set-up makes it again. */
function buildThreads() {
  if (isCurrent(buildStamp, buildState())) return;
  rmSync(buildStamp, { force: true });
  const built = spawnSync(process.execPath, [bundler, "--threads"], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) fail("threads could not be bundled; the messages are above.");
}

function build() {
  const state = buildState();
  if (isCurrent(buildStamp, state)) return skipped("build");
  say("building");
  // Built beside and put in place at the end: a set-up that runs at the same time never sees half of it.
  const fresh = join(root, `dist.${process.pid}`);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // Types are checked by `npm run check`: here that would be a third of the work. Several checkers, which is what the compiler
  // starts, work out the same types several times.
  const words = [compiler, "-p", "tsconfig.build.json", "--noCheck", "--checkers", "1", "--outDir", fresh];
  const built = spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" });
  if (built.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    fail("the build failed; its messages are above.");
  }
  // Separate processes: this file runs before there are any packages.
  for (const [step, what] of [
    [bundler, "the command could not be bundled"],
    [typesRoller, "the types of the package's doors could not be rolled up"],
    [storeMaker, "a new store could not be made"],
  ]) {
    if (spawnSync(process.execPath, [step, fresh], { cwd: root, stdio: "inherit" }).status === 0) continue;
    rmSync(fresh, { recursive: true, force: true });
    fail(`${what}; the messages are above.`);
  }
  writeFileSync(join(fresh, ".trawl-setup"), state);
  // The page stays as it is until its own sources change.
  const page = join(root, "dist/dashboard/web");
  if (existsSync(page)) cpSync(page, join(fresh, "dashboard/web"), { recursive: true });
  for (const file of [guidesFile, `${guidesFile}.trawl-setup`]) {
    if (existsSync(file)) cpSync(file, join(fresh, "guides", basename(file)));
  }
  rmSync(join(root, "dist"), { recursive: true, force: true, maxRetries: 5 });
  try {
    renameSync(fresh, join(root, "dist"));
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another set-up was quicker with the same sources.
    if (!isCurrent(buildStamp, state)) throw error;
  }
}

function buildDashboard() {
  const folder = join(root, "dist/dashboard/web");
  const stamp = join(folder, ".trawl-setup");
  const builder = join(root, "scripts/build-dashboard.mjs");
  const state = hash([join(root, "package-lock.json"), builder, ...filesBelow(pageFolder)]);
  if (isCurrent(stamp, state)) return skipped("dashboard");
  say("building the dashboard");
  const fresh = join(root, `dist.page.${process.pid}`);
  const built = spawnSync(process.execPath, [builder, fresh], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    fail("the dashboard could not be built; the messages are above.");
  }
  writeFileSync(join(fresh, ".trawl-setup"), state);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(join(root, "dist/dashboard"), { recursive: true });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!isCurrent(stamp, state)) throw error;
  }
}

/** The docs as the server shows them, in one file. */
function packGuides() {
  const stamp = `${guidesFile}.trawl-setup`;
  const packer = join(root, "scripts/pack-guides.mjs");
  const docs = filesBelow(join(root, "docs")).filter((file) => !file.includes(`${sep}decisions${sep}`));
  const state = hash([packer, ...docs, ...filesBelow(guidesFolder), ...filesBelow(pageFolder)]);
  if (existsSync(guidesFile) && isCurrent(stamp, state)) return skipped("docs");
  say("packing the docs");
  if (spawnSync(process.execPath, [packer, guidesFile], { cwd: root, stdio: "inherit" }).status !== 0)
    fail("the docs could not be packed; the messages are above.");
  writeFileSync(stamp, state);
}

/**
 * Chromium is optional: without it everything works that needs no browser. The headless shell beside it renders pages for less
 * CPU.
 */
function findOrInstallChromium() {
  const found = findChromium();
  if (found && (process.env.CHROMIUM_PATH || findProgram(["chromium-headless-shell"]))) {
    return skipped(`Chromium (${found})`);
  }
  const stamp = join(root, "node_modules/.trawl-chromium");
  const byHand = options.has("--verbose");
  if (existsSync(stamp) && !byHand) return;
  if (process.getuid?.() === 0 && isDebian()) {
    say("installing Chromium with the system's package manager (rendered pages need it)");
    const apt = (...words) =>
      spawnSync("apt-get", words, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    apt("update");
    // One by one: some systems have no package of the second.
    for (const name of ["chromium", "chromium-headless-shell"]) apt("install", "-y", "--no-install-recommends", name);
  }
  writeFileSync(stamp, "looked for");
  if (findChromium()) return;
  say(`Chromium was not found: rendered pages will be unavailable. To bring it: ${chromiumCommand()}`);
}

function findChromium() {
  const usual = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  const found = findProgram(["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"]);
  return [process.env.CHROMIUM_PATH, found, ...usual].find((file) => file && isExecutable(file));
}

function findProgram(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function chromiumCommand() {
  if (process.platform === "darwin") return "brew install --cask chromium";
  return isDebian()
    ? "sudo apt-get install chromium"
    : "install the package chromium of your system, or set CHROMIUM_PATH";
}

function isDebian() {
  return existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get");
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function hash(files) {
  const sum = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of files) sum.update(file.slice(root.length)).update(readFileSync(file));
  return sum.digest("hex");
}

function isCurrent(stamp, state) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === state;
}

function say(text) {
  console.log(`set-up: ${text}`);
}

function skipped(what) {
  if (options.has("--verbose")) say(`${what}: up to date`);
}

function fail(text) {
  console.error(`set-up: ${text}`);
  process.exit(1);
}
