// Starts what recognizes text in images: the packaged recognizer, or the system's own program.
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PSM } from "tesseract.js";
import { type GreyImage, greyFile, type LineSearch, type Recognize, readWordTable } from "../../documents/index.ts";
import type { RecognitionSettings } from "./file-messages.ts";

/** The numbers that the recognizer has for ways to look for lines. */
const pageModes: Record<LineSearch, string> = { across: "6", parts: "3" };

export interface RecognizerOptions extends RecognitionSettings {
  /** The worker ends after this long without work. */
  idleMs?: number;
}

export interface Recognizer {
  recognize: Recognize;
  close(): Promise<void>;
}

/** Which of the languages have their pack installed. */
export async function installedLanguages(languages: readonly string[]): Promise<string[]> {
  const found = await Promise.all(languages.map(async (language) => ((await packFolder(language)) ? [language] : [])));
  return found.flat();
}

export function openRecognizer(options: RecognizerOptions): Recognizer {
  return options.program ? systemRecognizer(options.program, options.languages) : packagedRecognizer(options);
}

const packs = createRequire(import.meta.url);

/** Null when the pack is not installed, or the name is not a language. */
async function packFolder(language: string): Promise<string | null> {
  if (!/^[a-z]{3}(?:_[a-z]+)?$/i.test(language)) return null;
  try {
    const folder = join(dirname(packs.resolve(`@tesseract.js-data/${language}/package.json`)), "4.0.0_best_int");
    await stat(join(folder, `${language}.traineddata.gz`));
    return folder;
  } catch {
    return null;
  }
}

interface DataFolder {
  path: string;
  remove(): Promise<void>;
}

/** One folder with the data of every language: the library takes no second one. */
async function dataFolder(languages: readonly string[]): Promise<DataFolder> {
  const folders = await Promise.all(languages.map(packFolder));
  const missing = languages.filter((_, at) => !folders[at]);
  if (missing.length > 0) {
    const names = missing.map((language) => `@tesseract.js-data/${language}`).join(", ");
    throw new Error(`No data for text recognition: install ${names}`);
  }
  const [only] = folders;
  if (languages.length === 1 && only) return { path: only, remove: async () => undefined };
  const path = await mkdtemp(join(tmpdir(), "trawl-ocr-"));
  await Promise.all(
    languages.map((language, at) => {
      const name = `${language}.traineddata.gz`;
      return copyFile(join(folders[at] as string, name), join(path, name));
    }),
  );
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function packagedRecognizer({ languages, idleMs = 30_000 }: RecognizerOptions): Recognizer {
  let worker: ReturnType<typeof startWorker> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const stop = async () => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await (await ended?.catch(() => undefined))?.end();
  };
  const recognize: Recognize = (image, search = "across") => {
    const result = queue.then(async () => {
      clearTimeout(idle);
      worker ??= startWorker(languages);
      try {
        const { read } = await worker;
        return await read(image, search);
      } catch (error) {
        await stop();
        throw error;
      } finally {
        idle = setTimeout(() => void stop(), idleMs);
        idle.unref();
      }
    });
    queue = result.catch(() => undefined);
    return result;
  };
  return { recognize, close: stop };
}

async function startWorker(languages: readonly string[]) {
  const data = await dataFolder(languages);
  // Loaded with the first image: it brings a large WebAssembly module.
  const { createWorker } = await import("tesseract.js");
  let failed: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => undefined);
  // Without this folder the library would fetch its data from the network.
  const worker = await createWorker([...languages], 1, {
    langPath: data.path,
    cacheMethod: "none",
    gzip: true,
    errorHandler: (error: unknown) => failed(error instanceof Error ? error : new Error(String(error))),
  });
  return {
    async read(image: GreyImage, search: LineSearch) {
      // The values of the library's own enumeration, which only its runtime has.
      await worker.setParameters({ tessedit_pageseg_mode: pageModes[search] as PSM });
      const work = worker.recognize(Buffer.from(greyFile(image)), {}, { text: false, tsv: true });
      const { data: result } = await Promise.race([work, failure]);
      return readWordTable(result.tsv ?? "");
    },
    async end() {
      await worker.terminate();
      await data.remove();
    },
  };
}

function systemRecognizer(program: string, languages: readonly string[]): Recognizer {
  const running = new Set<ReturnType<typeof spawn>>();
  const recognize: Recognize = (image, search = "across") =>
    new Promise((resolve, reject) => {
      const words = ["-", "-", "-l", languages.join("+"), "--psm", pageModes[search], "tsv"];
      const child = spawn(program, words, {
        stdio: ["pipe", "pipe", "pipe"],
        env: { PATH: "/usr/bin:/bin", OMP_THREAD_LIMIT: "1" },
      });
      running.add(child);
      const out: Buffer[] = [];
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => {
        said = (said + chunk).slice(-400);
      });
      child.on("error", reject);
      child.on("close", (code) => {
        running.delete(child);
        if (code === 0) resolve(readWordTable(Buffer.concat(out).toString("utf8")));
        else reject(new Error(`Text recognition failed: ${said.trim() || `exit code ${code}`}`));
      });
      // A program that ends early closes its input; its exit code tells why.
      child.stdin.on("error", () => undefined);
      child.stdin.end(greyFile(image));
    });
  return {
    recognize,
    async close() {
      for (const child of running) child.kill("SIGKILL");
    },
  };
}
