// Installs the programs that bench/rivals compares with, from their lock file.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const setup = fileURLToPath(new URL("../scripts/setup.mjs", import.meta.url));

export function installRivals() {
  const { status } = spawnSync(process.execPath, [setup, "--rivals"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the rivals could not be installed");
}
