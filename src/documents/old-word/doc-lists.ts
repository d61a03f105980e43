// The lists of an old Word file: which levels are numbered.
import type { WordFile } from "./word-file.ts";

const bullet = 23;
const none = 255;
const listBytes = 28;
const levelBytes = 28;

export class WordLists {
  /** Formats of the levels, by the number that paragraphs name. */
  private readonly formats: number[][] = [];
  private readonly counts = new Map<string, number>();

  constructor(file: WordFile) {
    const byId = readLists(file);
    const overrides = file.part("overrides");
    const count = overrides.length >= 4 ? overrides.readUInt32LE(0) : 0;
    for (let index = 0; index < Math.min(count, 5000) && 4 + (index + 1) * 16 <= overrides.length; index += 1)
      this.formats[index + 1] = byId.get(overrides.readInt32LE(4 + index * 16)) ?? [];
  }

  /** Null when the paragraph has no mark. */
  next(list: number, depth: number): { isOrdered: boolean; number: number } | null {
    const levels = this.formats[list];
    if (!levels) return null;
    const format = levels[depth] ?? levels[0] ?? bullet;
    if (format === none) return null;
    for (const key of [...this.counts.keys()])
      if (key.startsWith(`${list}:`) && Number(key.slice(key.indexOf(":") + 1)) > depth) this.counts.delete(key);
    const number = (this.counts.get(`${list}:${depth}`) ?? 0) + 1;
    this.counts.set(`${list}:${depth}`, number);
    return { isOrdered: format !== bullet, number };
  }
}

function readLists(file: WordFile): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  const part = file.part("lists");
  if (part.length < 2) return lists;
  const count = part.readUInt16LE(0);
  const levels = file.after("lists");
  let at = 0;
  for (let index = 0; index < count && 2 + (index + 1) * listBytes <= part.length; index += 1) {
    const from = 2 + index * listBytes;
    const isSimple = ((part[from + 26] ?? 0) & 1) !== 0;
    const formats: number[] = [];
    for (let level = 0; level < (isSimple ? 1 : 9) && at + levelBytes <= levels.length; level += 1) {
      formats.push(levels[at + 4] ?? bullet);
      at += levelBytes + (levels[at + 24] ?? 0) + (levels[at + 25] ?? 0);
      if (at + 2 > levels.length) break;
      at += 2 + levels.readUInt16LE(at) * 2;
    }
    lists.set(part.readInt32LE(from), formats);
  }
  return lists;
}
