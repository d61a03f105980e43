// `trawl parse`: files to markdown, one after another, with progress per page.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { oneCallMs, readInput, UsageError, warn, withParts } from "./command.ts";
import type { Options } from "./options.ts";
import { print, printable } from "./printing.ts";
import type { MediaReader } from "./scrape-options.ts";

export async function parse(files: string[], { json, output }: Options): Promise<void> {
  if (files.length === 0) throw new UsageError("trawl parse needs at least one file.");
  if (output !== undefined) await mkdir(output, { recursive: true });
  await withParts(async ({ parseFile, browser }, caller) => {
    for (const [index, file] of files.entries()) {
      const input = readInput<"parse">("parse", {
        file: { filename: basename(file), contentType: "", bytes: await readBytes(file) },
        timeout: 300_000,
        origin: "cli",
      });
      const progress = createProgress(basename(file), index + 1, files.length);
      try {
        const answer = await parseFile(input, caller, AbortSignal.timeout(oneCallMs), progress.show);
        progress.end();
        const text = json ? JSON.stringify(answer, null, 2) : (answer.data.markdown ?? "");
        if (output === undefined) print(text);
        else {
          const kept = await savePictures(text, join(output, basename(file)), browser.readMedia);
          await writeFile(join(output, `${basename(file)}${json ? ".json" : ".md"}`), `${kept}\n`);
        }
        warn(answer);
      } catch (error) {
        progress.end();
        // The others are still read; the command fails in the end.
        if (files.length === 1) throw error;
        process.exitCode = 1;
        warn({ warning: `${printable(file)}: ${error instanceof Error ? error.message : String(error)}` });
      }
    }
  });
}

/** Pictures become files beside the text, since no server may be there to show them. */
async function savePictures(text: string, path: string, readMedia: MediaReader): Promise<string> {
  const names = [...new Set([...text.matchAll(/\/media\/([\w-]{43}\.[a-z]{3,4})/g)].flatMap(([, name]) => name ?? []))];
  let shown = text;
  for (const [index, name] of names.entries()) {
    const picture = await readMedia(name);
    if (!picture) continue;
    const file = `${path}-${index + 1}.${name.split(".").at(-1)}`;
    await writeFile(file, picture.bytes);
    shown = shown.replaceAll(`/media/${name}`, encodeURI(basename(file)));
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
