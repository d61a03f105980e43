// `npm run prove -- same-outputs CHECKOUT`: a change that is about speed alone gives the same bytes as the built checkout of an
// earlier commit, for every page, schema and query of the test material, which is not a part of this repository.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../..", import.meta.url));
const material = fileURLToPath(new URL("../../../shared", import.meta.url));

export async function prove([other]) {
  if (other === undefined || !existsSync(other))
    throw new Error("Name the folder of a built checkout to compare with.");
  if (!existsSync(material)) throw new Error("The test material is not at ../shared.");
  const port = await freePort();
  const [before, now] = [other, here].map(
    (checkout) => new Map([...outputsOf(checkout), ...responsesOf(checkout, port)]),
  );
  const kinds = new Set([...before.keys(), ...now.keys()].map((key) => key.split("\t")[0]));
  return [...kinds].map((kind) => {
    const keys = [...new Set([...before.keys(), ...now.keys()])].filter((key) => key.startsWith(`${kind}\t`));
    const different = keys.filter((key) => before.get(key) !== now.get(key));
    const details = different.slice(0, 5).map((key) => key.split("\t")[1]);
    const figure = `${keys.length} outputs, ${different.length} different`;
    return { subject: kind, holds: different.length === 0, figure, details };
  });
}

/** What the rooms of a checkout make, by its own program: rooms move, and only a checkout knows where its own are. */
function outputsOf(checkout) {
  return linesOf(join(checkout, "scripts/outputs-of.mjs"), [checkout, material]);
}

/** What a checkout answers over HTTP. */
function responsesOf(checkout, port) {
  return linesOf(join(here, "scripts/responses-of.mjs"), [checkout, material, String(port)]);
}

function linesOf(program, words) {
  const { stdout, status } = spawnSync(process.execPath, [program, ...words], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${program} failed`);
  const lines = stdout.trim().split("\n");
  return lines.map((line) => [line.slice(0, line.lastIndexOf("\t")), line.slice(line.lastIndexOf("\t") + 1)]);
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
