// `trawl index add FOLDER`: the files of a folder, for the team's searches.
import { lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { documentExtensions } from "../../app.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { WorkPlace } from "../service/open-service.ts";
import { print, tell } from "../terminal/printing.ts";

type NewFile = OperationInput<"addToIndex">["files"][number];

/** Images are left out: recognizing whole folders of them takes hours. */
const text = /\.(?:md|markdown|txt|html?|xhtml)$/i;
const document = new RegExp(`\\.(?:${documentExtensions.join("|")})$`, "i");
/** Of one file; more of a text is not searched. */
const mostTextBytes = 5 * 1024 * 1024;
const mostDocumentBytes = 50 * 1024 * 1024;
const mostFiles = 10_000;
/** Of one request. */
const batchFiles = 50;
const batchBytes = 4 * 1024 * 1024;

export async function isOnDisk(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

export async function addFiles({ client, signal }: WorkPlace, place: string): Promise<void> {
  let added = 0;
  let skipped = 0;
  let batch: NewFile[] = [];
  let size = 0;
  const send = async () => {
    if (batch.length === 0) return;
    const body = { files: batch, origin: "cli" };
    const sent = await client.request("POST", "/v2/search/index", body, { signal });
    const answer = sent as OperationOutput<"addToIndex">;
    added += answer.added;
    for (const { name, error } of answer.refused) tell(`${name}: ${error}`);
    batch = [];
    size = 0;
  };
  let seen = 0;
  for await (const path of walk(resolve(place))) {
    const { size: bytes } = await lstat(path);
    const most = text.test(path) ? mostTextBytes : document.test(path) ? mostDocumentBytes : -1;
    if (bytes > most || seen >= mostFiles) {
      skipped += 1;
      continue;
    }
    seen += 1;
    if (batch.length >= batchFiles || size + bytes > batchBytes) await send();
    const content = (await readFile(path)).toString("base64");
    batch.push({ name: path, content, encoding: "base64", url: pathToFileURL(path).href });
    size += bytes;
  }
  await send();
  const were = skipped === 1 ? "1 file was" : `${skipped} files were`;
  const left = skipped === 0 ? "" : ` ${were} skipped: only texts up to 5 MB and documents up to 50 MB are read.`;
  print(`Added ${added === 1 ? "1 file" : `${added} files`}.${left}`);
  if (added === 0) process.exitCode = 1;
}

/** Files in a fixed order; neither links nor what is hidden. */
async function* walk(path: string): AsyncGenerator<string> {
  const stat = await lstat(path);
  if (stat.isFile()) yield path;
  if (!stat.isDirectory()) return;
  const names = (await readdir(path)).filter((name) => !name.startsWith(".") && name !== "node_modules").sort();
  for (const name of names) yield* walk(join(path, name));
}
