// A Node of another version, from the package registry.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const packageName = `node-${process.platform}-${process.arch}`;

/** `wanted`: a version, or a line such as 24, of which the newest is taken. `node`: the path of the program. */
export function installNode(wanted, folder) {
  const version = findVersion(wanted);
  return { version, node: install(version, folder) };
}

/** The newest of a line, if only its number is given. */
function findVersion(wanted) {
  const text = execFileSync("npm", ["view", packageName, "versions", "--json"], { encoding: "utf8" });
  const numbers = (version) => version.split(".").map(Number);
  const fitting = JSON.parse(text).filter((version) => `${version}.`.startsWith(`${wanted}.`));
  const [newest] = fitting.sort((a, b) => {
    const [x, y] = [numbers(a), numbers(b)];
    return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
  });
  if (newest === undefined) throw new Error(`${packageName} has no version ${wanted}`);
  return newest;
}

function install(version, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", `${packageName}@${version}`];
  execFileSync("npm", words, { cwd: folder, stdio: "inherit" });
  const node = join(folder, "node_modules", packageName, "bin/node");
  const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  if (found !== `v${version}`) throw new Error(`${packageName}@${version} holds ${found}`);
  return node;
}
