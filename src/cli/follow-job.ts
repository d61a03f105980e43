// Works on a job in this process and follows it to its end.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import type { Document, OperationOutput } from "../contract/index.ts";

export interface JobOutput {
  /** Directory for one file per page; null: everything goes to standard output. */
  folder: string | null;
  /** One JSON object per page instead of its markdown. */
  json: boolean;
  /** Show only the progress, not the pages. */
  isQuiet?: boolean;
}

type Message = OperationOutput<"watchCrawl">;

/** Resolves when the job has ended and everything is written. Without any page the command fails. An interrupt cancels the job; finished pages stay. */
export async function followJob(parts: Parts, caller: Caller, id: string, output: JobOutput): Promise<void> {
  const { operations, jobs } = parts;
  const progress = createProgress();
  const write = await createWriter(output);
  const cancel = () => void operations.cancelCrawl({ id }, caller).catch(() => undefined);
  process.once("SIGINT", cancel);
  await jobs.start();
  try {
    let written = 0;
    for await (const message of operations.watchCrawl({ id }, caller, new AbortController().signal)) {
      for (const document of documentsOf(message)) {
        await write(document);
        written += 1;
      }
      if (message.type === "catchup" || message.type === "done") progress.show({ ...message.data, written });
      else progress.show({ written });
    }
    const { errors, robotsBlocked } = await operations.listCrawlErrors({ id }, caller);
    progress.end(errors.length, robotsBlocked.length);
    for (const { url, error } of errors.slice(0, maxErrorsShown)) tell(`${url}: ${error}`);
    const { warning } = await operations.readCrawl({ id, skip: 0, limit: 1 }, caller);
    if (warning) tell(warning);
    // Like a scrape that failed.
    if (written === 0) process.exitCode = 1;
  } finally {
    process.off("SIGINT", cancel);
    await jobs.stop(0);
  }
}

const maxErrorsShown = 20;

function documentsOf(message: Message): Document[] {
  if (message.type === "catchup") return message.data.data;
  return message.type === "document" ? [message.data] : [];
}

async function createWriter({ folder, json, isQuiet }: JobOutput): Promise<(document: Document) => Promise<void>> {
  if (isQuiet) return async () => undefined;
  const show = (document: Document) =>
    json || document.markdown === undefined ? `${JSON.stringify(document)}\n` : `${document.markdown}\n`;
  if (folder === null) {
    return async (document) => {
      const heading = json ? "" : `<!-- ${document.metadata.sourceURL ?? ""} -->\n\n`;
      process.stdout.write(`${heading}${show(document)}${json ? "" : "\n"}`);
    };
  }
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  return async (document) => {
    const ending = json || document.markdown === undefined ? ".json" : ".md";
    await writeFile(join(folder, fileName(document.metadata.sourceURL ?? "page", ending, taken)), show(document));
  };
}

const longestName = 120;

/** Only characters that every file system accepts; never a path. */
function fileName(url: string, ending: string, taken: Set<string>): string {
  const bare = url.replace(/^https?:\/\//, "").replace(/[?#]/g, "-");
  const plain = bare.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  const stem = plain.slice(0, longestName) || "page";
  let name = `${stem}${ending}`;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem}-${number}${ending}`;
  taken.add(name.toLowerCase());
  return name;
}

/** One line on standard error that is overwritten; without a terminal, only the last one. */
function createProgress() {
  let state = { status: "scraping", total: 0, written: 0 };
  const line = () => `${state.written} of ${state.total} pages`;
  const isTerminal = process.stderr.isTTY;
  return {
    show(change: Partial<typeof state>): void {
      state = { ...state, ...change };
      state.total = Math.max(state.total, state.written);
      if (isTerminal) process.stderr.write(`\r\u001b[K${line()}`);
    },
    end(failed: number, blocked: number): void {
      const more = [
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(blocked > 0 ? [`${blocked} disallowed by robots.txt`] : []),
      ];
      process.stderr.write(`${isTerminal ? "\r\u001b[K" : ""}${[`${state.status}: ${line()}`, ...more].join(", ")}\n`);
    },
  };
}

export function tell(text: string): void {
  process.stderr.write(`trawl: ${text}\n`);
}
