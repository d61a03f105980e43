// `npm run prove -- same-outputs CHECKOUT`: a change that is about speed alone gives the same bytes as the built checkout of an
// earlier commit, for every page, schema and query of the test material, which is not a part of this repository.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../outputs-of.mjs", import.meta.url));
const here = fileURLToPath(new URL("../..", import.meta.url));
const material = fileURLToPath(new URL("../../../shared", import.meta.url));

export function prove([other]) {
  if (other === undefined || !existsSync(other))
    throw new Error("Name the folder of a built checkout to compare with.");
  if (!existsSync(material)) throw new Error("The test material is not at ../shared.");
  const [before, now] = [outputsOf(other), outputsOf(here)];
  const kinds = new Set([...before.keys(), ...now.keys()].map((key) => key.split("\t")[0]));
  return [...kinds].map((kind) => {
    const keys = [...new Set([...before.keys(), ...now.keys()])].filter((key) => key.startsWith(`${kind}\t`));
    const different = keys.filter((key) => before.get(key) !== now.get(key));
    const details = different.slice(0, 5).map((key) => key.split("\t")[1]);
    const figure = `${keys.length} outputs, ${different.length} different`;
    return { subject: kind, holds: different.length === 0, figure, details };
  });
}

function outputsOf(checkout) {
  const { stdout, status } = spawnSync(process.execPath, [program, checkout, material], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the outputs of ${checkout} could not be made`);
  const lines = stdout.trim().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf("\t")), line.slice(line.lastIndexOf("\t") + 1)]));
}
