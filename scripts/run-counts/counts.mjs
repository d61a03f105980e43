import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A file that is still being written is younger. */
const settledMs = 3000;

/** How often each place of each compiled file ran, over all processes: 0 or the most that one of them counted. */
export class Counts {
  #folder;
  #prefix;
  /** By path. */
  #files = new Map();

  constructor(folder) {
    this.#folder = folder;
    this.#prefix = `${pathToFileURL(folder).href}/`;
  }

  /** Takes in what V8 wrote to a folder, and removes it. */
  takeFrom(dumps, { isOver = false } = {}) {
    for (const name of readdirSync(dumps)) {
      const file = join(dumps, name);
      if (!isOver && Date.now() - statSync(file).mtimeMs < settledMs) continue;
      try {
        for (const script of JSON.parse(readFileSync(file, "utf8")).result) this.#take(script);
      } catch (error) {
        // A process that was killed while it wrote.
        console.error(`${name}: ${error.message}`);
      }
      rmSync(file);
    }
  }

  #take({ url, functions }) {
    if (!url.startsWith(this.#prefix) || !url.endsWith(".js")) return;
    const path = fileURLToPath(url);
    if (!existsSync(path)) return;
    const length = readFileSync(path, "utf8").length;
    const known = this.#files.get(path) ?? new Uint32Array(length);
    this.#files.set(path, known);
    // Outer ranges come first; inner ones say what differs in them.
    const ranges = functions.flatMap((each) => each.ranges);
    ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
    const here = new Uint32Array(length);
    for (const { startOffset, endOffset, count } of ranges) here.fill(count, startOffset, endOffset);
    for (let place = 0; place < length; place += 1) if (here[place] > known[place]) known[place] = here[place];
  }

  /** Every compiled file of the room's own, those that no process loaded included. */
  listFiles() {
    const names = readdirSync(this.#folder, { recursive: true }).filter((name) => name.endsWith(".js"));
    // Not the bundles, nor the page, which runs in browsers only.
    const own = names.filter((name) => !/^(chunks|dashboard[\\/]web)[\\/]/.test(name));
    return own.map((name) => {
      const path = join(this.#folder, name);
      const counts = this.#files.get(path);
      const countAt = (place) => counts?.[place] ?? 0;
      return { path, name: relative(this.#folder, path).split(sep).join("/"), countAt };
    });
  }
}
