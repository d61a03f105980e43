// Where the pages of a job go: standard output, a file or a folder, in one of several forms.
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Document } from "../../contract/index.ts";
import { createZip } from "../../zip/index.ts";
import { createLlmsText } from "../files/llms-txt.ts";
import { csvHead, csvRow } from "../files/page-csv.ts";
import { openPageFolder, type PageFolder, pageText, stemOf } from "../files/page-files.ts";
import { harmless, tell, toText } from "../terminal/printing.ts";
import { UsageError } from "./usage-error.ts";

export interface OutputFlags {
  output?: string | undefined;
  json?: boolean | undefined;
  jsonl?: boolean | undefined;
  csv?: boolean | undefined;
  zip?: boolean | undefined;
  llmsTxt?: boolean | undefined;
}

export interface PageOutput {
  write(document: Document): Promise<void>;
  /** Says where things are. */
  end(): Promise<void>;
  /** The folder, which can go on with an unfinished job. */
  folder: PageFolder | null;
}

const fileName = /\.[a-z0-9]{1,5}$/i;

export async function openPageOutput(flags: OutputFlags): Promise<PageOutput> {
  const { output } = flags;
  const kinds = (["jsonl", "csv", "zip", "llmsTxt"] as const).filter((kind) => flags[kind]);
  if (kinds.length > 1) throw new UsageError("Choose one of --jsonl, --csv, --zip and --llms-txt.");
  const [kind] = kinds;
  if (kind === "llmsTxt") return llmsOutput(output ?? ".");
  // A name without an ending is a folder, too: that is what pages go into.
  const isFolder = output !== undefined && (/[/\\]$/.test(output) || (!kind && !fileName.test(output)));
  if (isFolder && kind) throw new UsageError(`--${kind} writes one file. Name it with -o, without a slash at its end.`);
  if (isFolder) return folderOutput(output);
  const sink = await openSink(output);
  if (kind === "zip") {
    if (output === undefined) throw new UsageError("--zip needs the name of the file: -o FILE.zip.");
    return zipOutput(sink);
  }
  if (kind === "csv") return textOutput(sink, csvRow, csvHead);
  if (kind === "jsonl" || flags.json) return textOutput(sink, (document) => `${toText(document, false)}\n`);
  return textOutput(sink, markdownText);
}

interface Sink {
  put(bytes: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

async function openSink(file: string | undefined): Promise<Sink> {
  if (file === undefined) return { put: async (text) => void process.stdout.write(text), close: async () => undefined };
  const handle = await open(file, "w").catch(() => {
    throw new UsageError(`Cannot write the file ${file}. Check that the folder ${dirname(file)} exists.`);
  });
  return { put: async (text) => void (await handle.writeFile(text)), close: () => handle.close() };
}

function textOutput(sink: Sink, show: (document: Document) => string, head = ""): PageOutput {
  let isBegun = false;
  return {
    folder: null,
    async write(document) {
      if (!isBegun) await sink.put(head);
      isBegun = true;
      await sink.put(show(document));
    },
    end: () => sink.close(),
  };
}

function markdownText(document: Document): string {
  if (document.markdown === undefined) return `${toText(document, false)}\n`;
  return `<!-- ${harmless(document.metadata.sourceURL ?? "")} -->\n\n${harmless(document.markdown)}\n\n`;
}

async function folderOutput(path: string): Promise<PageOutput> {
  const folder = await openPageFolder(path);
  return { folder, write: async (document) => void (await folder.write(document)), end: async () => undefined };
}

function zipOutput(sink: Sink): PageOutput {
  const zip = createZip();
  const taken = new Set<string>();
  return {
    folder: null,
    async write(document) {
      const stem = stemOf(document.metadata.sourceURL ?? "page");
      let name = stem;
      for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem}-${number}`;
      taken.add(name.toLowerCase());
      const isText = document.markdown !== undefined;
      await sink.put(
        await zip.add(`${name}${isText ? ".md" : ".json"}`, isText ? pageText(document) : JSON.stringify(document)),
      );
    },
    async end() {
      for (const bytes of zip.end()) await sink.put(bytes);
      await sink.close();
    },
  };
}

function llmsOutput(folder: string): PageOutput {
  const text = createLlmsText();
  return {
    folder: null,
    write: async (document) => text.add(document),
    async end() {
      const files = await text.write(folder);
      tell(`Wrote ${files.join(" and ")}.`);
    },
  };
}
