// A folder with one Markdown file for each page: front matter first, names that every file system takes.
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Document } from "../../contract/index.ts";

/** What a second run needs to go on with a job. */
export interface FolderJob {
  id: string;
  /** The request, so that another one does not go on with this job. */
  request: string;
  /** Documents of the job that are written. */
  written: number;
}

const jobFile = ".trawl-job.json";
const longestName = 120;
/** Names that one system reserves, whatever follows the first dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export async function openPageFolder(folder: string) {
  await mkdir(folder, { recursive: true });
  const taken = new Map<string, string>();

  /** The page's own file of an earlier run, or a name that no file has: nothing of another page is overwritten. */
  async function nameFor(url: string, ending: string): Promise<string> {
    const stem = stemOf(url);
    for (let number = 1; ; number += 1) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}${ending}`;
      const key = name.toLowerCase();
      const owner = taken.get(key) ?? (await ownerOf(join(folder, name)));
      if (owner !== null && owner !== url) continue;
      taken.set(key, url);
      return name;
    }
  }

  return {
    async write(document: Document): Promise<string> {
      const { markdown, metadata } = document;
      const url = String(metadata.sourceURL ?? metadata.url ?? "page");
      // It comes without content: the file of the earlier run holds that.
      if (metadata.unchanged) return nameFor(url, ".md");
      const isText = markdown !== undefined;
      const name = await nameFor(url, isText ? ".md" : ".json");
      await writeFile(join(folder, name), isText ? pageText(document) : `${JSON.stringify(document, null, 2)}\n`);
      return name;
    },

    /** A page that no longer exists. */
    async remove(url: string): Promise<void> {
      for (const ending of [".md", ".json"]) {
        const file = join(folder, await nameFor(url, ending));
        if ((await ownerOf(file)) === url) await rm(file);
      }
    },

    async unfinishedJob(request: string): Promise<FolderJob | null> {
      const text = await readFile(join(folder, jobFile), "utf8").catch(() => null);
      try {
        const job = JSON.parse(text ?? "null") as FolderJob | null;
        return job?.request === request && typeof job.id === "string" ? job : null;
      } catch {
        return null;
      }
    },

    /** Null: the job has ended. Written beside and renamed, so that a crash leaves the old or the new one. */
    async noteJob(job: FolderJob | null): Promise<void> {
      const file = join(folder, jobFile);
      await writeFile(`${file}.new`, `${JSON.stringify(job)}\n`);
      await rename(`${file}.new`, file);
    },
  };
}

export type PageFolder = Awaited<ReturnType<typeof openPageFolder>>;

/** A page as its file: YAML front matter, then its markdown. JSON strings are YAML strings, too. */
export function pageText({ markdown = "", metadata }: Document): string {
  const { sourceURL, url, title, description, publishedTime, modifiedTime } = metadata;
  const rows = {
    url: sourceURL ?? url,
    title,
    date: publishedTime ?? modifiedTime ?? new Date().toISOString(),
    description,
  };
  const lines = Object.entries(rows).map(([name, value]) => `${name}: ${JSON.stringify(value ?? "")}`);
  return `---\n${lines.join("\n")}\n---\n\n${markdown}\n`;
}

/** Only characters that every file system takes; never a path. */
export function stemOf(url: string): string {
  const bare = url
    .normalize("NFC")
    .replace(/^https?:\/\//, "")
    .replace(/[?#]/g, "-");
  const plain = bare.replace(/[^\p{L}\p{N}._-]+/gu, "-");
  // Names are bounded in bytes on some systems.
  let short = [...plain].slice(0, longestName).join("");
  while (Buffer.byteLength(short) > 2 * longestName) short = [...short].slice(0, -1).join("");
  const stem = short.replace(/^[.-]+|[.-]+$/g, "") || "page";
  return reserved.test(stem) ? `_${stem}` : stem;
}

/** The URL of the page that an existing file holds; null where there is no file, "" for a file of somebody else. */
async function ownerOf(path: string): Promise<string | null> {
  const file = await open(path, "r").catch(() => null);
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4096) });
    const head = buffer.subarray(0, bytesRead).toString("utf8");
    const [, text] = /^---\nurl: (".*")$/m.exec(head) ?? /"sourceURL": (".*")/.exec(head) ?? [];
    return text === undefined ? "" : String(JSON.parse(text));
  } catch {
    return "";
  } finally {
    await file.close();
  }
}
