// Lists of property changes ("sprms") in old Word files: an operation and its operand, one after another.

export type Sprm = (operation: number, operand: Buffer) => void;

const tableDefinition = 0xd608;
const longTabs = 0xc615;

/** Calls back for each change; stops where the list is broken. */
export function readSprms(bytes: Buffer, use: Sprm): void {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const operation = bytes.readUInt16LE(at);
    at += 2;
    const { head, size } = operandSize(bytes, at, operation);
    const from = at + head;
    if (from + size > bytes.length) return;
    use(operation, bytes.subarray(from, from + size));
    at = from + size;
  }
}

/** How many bytes say the size, and the size itself. */
function operandSize(bytes: Buffer, at: number, operation: number): { head: number; size: number } {
  switch (operation >> 13) {
    case 0:
    case 1:
      return { head: 0, size: 1 };
    case 2:
    case 4:
    case 5:
      return { head: 0, size: 2 };
    case 3:
      return { head: 0, size: 4 };
    case 7:
      return { head: 0, size: 3 };
    default:
      if (operation === tableDefinition)
        return { head: 2, size: at + 2 <= bytes.length ? Math.max(0, bytes.readUInt16LE(at) - 1) : 0 };
      if (operation === longTabs && bytes[at] === 255) return { head: 1, size: bytes.length };
      return { head: 1, size: bytes[at] ?? 0 };
  }
}

/** Runs of characters (by their place in the file) with the properties that apply to them. */
export interface PropertyRun {
  from: number;
  to: number;
  bytes: Buffer;
}

/** From pages of 512 bytes: `boundBytes` are there for each run besides the offset of its properties. */
export function readRuns(stream: Buffer, table: Buffer, kind: "paragraphs" | "characters"): PropertyRun[] {
  const count = Math.floor((table.length - 4) / 8);
  const runs: PropertyRun[] = [];
  for (let index = 0; index < count; index += 1) {
    const page = (table.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff) * 512;
    if (page + 512 > stream.length) continue;
    const bytes = stream.subarray(page, page + 512);
    const inPage = bytes[511] ?? 0;
    const step = kind === "paragraphs" ? 13 : 1;
    if ((inPage + 1) * 4 + inPage * step > 511) continue;
    for (let run = 0; run < inPage; run += 1) {
      const place = (bytes[(inPage + 1) * 4 + run * step] ?? 0) * 2;
      runs.push({
        from: bytes.readUInt32LE(run * 4),
        to: bytes.readUInt32LE(run * 4 + 4),
        bytes: place === 0 ? Buffer.alloc(0) : propertiesAt(bytes, place, kind),
      });
    }
  }
  return runs.sort((a, b) => a.from - b.from);
}

function propertiesAt(page: Buffer, place: number, kind: "paragraphs" | "characters"): Buffer {
  const first = page[place] ?? 0;
  if (kind === "characters") return page.subarray(place + 1, Math.min(511, place + 1 + first));
  const isLong = first === 0;
  const size = isLong ? (page[place + 1] ?? 0) * 2 : first * 2 - 1;
  const from = place + (isLong ? 2 : 1);
  return page.subarray(from, Math.min(511, from + size));
}

/** The run that holds a place, by halving. */
export function runAt(runs: readonly PropertyRun[], place: number): PropertyRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle] as PropertyRun;
    if (place < run.from) high = middle - 1;
    else if (place >= run.to) low = middle + 1;
    else return run;
  }
  return undefined;
}
