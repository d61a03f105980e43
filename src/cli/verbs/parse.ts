// `trawl parse`: files to markdown, one after another, with progress per page.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Document,
  type Endpoint,
  endpointFor,
  type OperationInput,
  type OperationOutput,
  prepareCall,
} from "../../contract/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { type WorkPlace, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { formatField } from "../service/wanted-formats.ts";
import { harmless, print, printable, tell, toText, warn } from "../terminal/printing.ts";

type Answer = OperationOutput<"parse">;

const usualTimeoutMs = 300_000;

export async function parse({ words: files, flags, request }: Invocation): Promise<void> {
  if (files.length === 0) throw new UsageError("trawl parse needs at least one file.");
  const { json, pretty, output } = flags;
  const options = { timeout: usualTimeoutMs, ...request, ...(await formatField(flags)), origin: "cli" };
  if (output !== undefined) await mkdir(output, { recursive: true });
  await withService(flags, async (service) => {
    let failures = 0;
    for (const [index, file] of files.entries()) {
      const bytes = await readBytes(file);
      const progress = createProgress(basename(file), index + 1, files.length);
      try {
        const answer = await parseOne(service, { ...options, filename: basename(file), file: bytes }, progress.show);
        progress.end();
        const text = json ? toText(answer, pretty) : shown(answer.data);
        if (output === undefined) print(json ? text : harmless(text));
        else {
          const kept = await savePictures(text, join(output, basename(file)), service);
          await writeFile(join(output, `${basename(file)}${json ? ".json" : ".md"}`), `${kept}\n`);
        }
        warn(answer);
      } catch (error) {
        progress.end();
        // The others are still read; the command fails in the end.
        if (files.length === 1 || service.signal.aborted) throw error;
        failures += 1;
        tell(`${printable(file)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failures > 0) process.exitCode = failures === files.length ? 1 : 3;
  });
}

function shown(data: Document): string {
  return data.markdown ?? JSON.stringify(data, null, 2);
}

interface ParsedFile {
  file: Uint8Array;
  filename: string;
}

/** In this process, each page of the file that was read is told. */
async function parseOne(
  { client, local, signal }: WorkPlace,
  request: ParsedFile,
  onPage: (page: number, total: number) => void,
): Promise<Answer> {
  if (!local) return client.parse(request, { signal });
  const { file: bytes, filename, ...options } = request;
  const body = { ...options, file: { filename, contentType: "", bytes } };
  const { input } = prepareCall(endpointFor("parse") as Endpoint, { body });
  return local.parts.parseFile(input as OperationInput<"parse">, local.caller, signal, onPage);
}

/** Pictures become files beside the text, since no server may be there to show them. */
async function savePictures(text: string, path: string, { readMedia }: WorkPlace): Promise<string> {
  const names = [...new Set([...text.matchAll(/\/media\/([\w-]{43}\.[a-z]{3,4})/g)].flatMap(([, name]) => name ?? []))];
  let shown = text;
  for (const [index, name] of names.entries()) {
    const picture = await readMedia(`/media/${name}`);
    if (!picture) continue;
    const file = `${path}-${index + 1}.${name.split(".").at(-1)}`;
    await writeFile(file, picture);
    shown = shown.replace(new RegExp(`(?:https?://[^\\s()"<>]+)?/media/${name}`, "g"), () => encodeURI(basename(file)));
  }
  return shown;
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch {
    throw new UsageError(`Cannot read the file ${printable(file)}.`);
  }
}

/** On standard error, and only where somebody watches. */
function createProgress(name: string, number: number, count: number) {
  const isWatched = process.stderr.isTTY === true;
  let isShown = false;
  return {
    show(page: number, total: number): void {
      if (!isWatched) return;
      isShown = true;
      process.stderr.write(
        `\r${count > 1 ? `${number}/${count} ` : ""}${printable(name)}: page ${page} of ${total}\x1b[K`,
      );
    },
    end(): void {
      if (isShown) process.stderr.write("\r\x1b[K");
    },
  };
}
