// What changed between two texts, line by line: as a unified diff, and as data in the shape that readers of such diffs use.
// Lines are matched by Myers' greedy method. Its cost grows with the number of changed lines, so beyond a bound the whole
// middle counts as replaced: still correct, only longer.

export interface LineChange {
  type: "normal" | "add" | "del";
  normal?: true;
  add?: true;
  del?: true;
  /** Number of the line: in the new text for an added one, in the old text for a deleted one. */
  ln?: number;
  /** Numbers of an unchanged line in the old and in the new text. */
  ln1?: number;
  ln2?: number;
  /** The line, after its sign. */
  content: string;
}

export interface DiffChunk {
  /** The heading, such as `@@ -1,3 +1,4 @@`. */
  content: string;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  changes: LineChange[];
}

export interface LineDiff {
  /** A unified diff without names of files; "" when nothing changed. */
  text: string;
  chunks: DiffChunk[];
  additions: number;
  deletions: number;
}

/** A diff as data, in the shape that readers of git diffs know: one file without a name. */
export interface DiffFiles {
  files: { from: null; to: null; chunks: DiffChunk[]; additions: number; deletions: number }[];
}

export function filesOf({ chunks, additions, deletions }: Omit<LineDiff, "text">): DiffFiles {
  return { files: [{ from: null, to: null, chunks, additions, deletions }] };
}

/** The same from the text of a unified diff, which may be cut at its end. */
export function readDiff(text: string): DiffFiles {
  const chunks: DiffChunk[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const content of text.split("\n")) {
    const [, ...figures] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(content) ?? [];
    const [oldStart, oldLines, newStart, newLines] = figures.map(Number);
    if (oldStart !== undefined && oldLines !== undefined && newStart !== undefined && newLines !== undefined) {
      chunks.push({ content, oldStart, oldLines, newStart, newLines, changes: [] });
      [oldAt, newAt] = [oldStart, newStart];
      continue;
    }
    const changes = chunks.at(-1)?.changes;
    if (content.startsWith("-")) changes?.push({ type: "del", del: true, ln: oldAt++, content });
    else if (content.startsWith("+")) changes?.push({ type: "add", add: true, ln: newAt++, content });
    else if (content.startsWith(" "))
      changes?.push({ type: "normal", normal: true, ln1: oldAt++, ln2: newAt++, content });
  }
  const count = (type: LineChange["type"]) =>
    chunks.reduce((sum, { changes }) => sum + changes.filter((change) => change.type === type).length, 0);
  return filesOf({ chunks, additions: count("add"), deletions: count("del") });
}

/** Unchanged lines shown around a change. */
const contextLines = 3;
/** Changed lines that are matched exactly. */
const maxEdits = 1500;

/** Half-open spans of lines that differ. */
interface Edit {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

export function diffLines(before: string, after: string): LineDiff {
  const oldLines = before.split("\n");
  const newLines = after.split("\n");
  const chunks = groupEdits(findEdits(oldLines, newLines)).map((edits) => makeChunk(edits, oldLines, newLines));
  const count = (type: LineChange["type"]) =>
    chunks.reduce((sum, { changes }) => sum + changes.filter((change) => change.type === type).length, 0);
  const text = chunks
    .map(({ content, changes }) => [content, ...changes.map((change) => change.content)].join("\n"))
    .join("\n");
  return { text, chunks, additions: count("add"), deletions: count("del") };
}

/** In order; spans do not touch each other. */
function findEdits(oldLines: readonly string[], newLines: readonly string[]): Edit[] {
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start += 1;
  let same = 0;
  while (same < shorter - start && oldLines.at(-1 - same) === newLines.at(-1 - same)) same += 1;
  const whole = { oldFrom: start, oldTo: oldLines.length - same, newFrom: start, newTo: newLines.length - same };
  if (whole.oldFrom === whole.oldTo && whole.newFrom === whole.newTo) return [];
  return matchMiddle(oldLines, newLines, whole) ?? [whole];
}

/** Null if more lines changed than the bound. */
function matchMiddle(
  oldLines: readonly string[],
  newLines: readonly string[],
  { oldFrom, oldTo, newFrom, newTo }: Edit,
) {
  const before = oldLines.slice(oldFrom, oldTo);
  const after = newLines.slice(newFrom, newTo);
  const bound = Math.min(maxEdits, before.length + after.length);
  // For each number of edits: how far in the old text each diagonal (old place minus new place) reaches.
  const reached: Int32Array[] = [];
  const far = new Int32Array(2 * bound + 3);
  for (let edits = 0; edits <= bound; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const place = bound + 1 + diagonal;
      const below = far[place + 1] as number;
      const left = (far[place - 1] as number) + 1;
      let x = diagonal === -edits || (diagonal !== edits && left <= below) ? below : left;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      far[place] = x;
      if (x >= before.length && x - diagonal >= after.length) {
        return walkBack(reached, edits, diagonal, x).map((edit) => ({
          oldFrom: edit.oldFrom + oldFrom,
          oldTo: edit.oldTo + oldFrom,
          newFrom: edit.newFrom + newFrom,
          newTo: edit.newTo + newFrom,
        }));
      }
    }
    // Only the places that this round could reach are kept.
    reached.push(far.slice(bound + 1 - edits - 1, bound + 1 + edits + 2));
  }
  return null;
}

/** From the end to the start, over the places that each round had reached. */
function walkBack(reached: readonly Int32Array[], edits: number, lastDiagonal: number, lastX: number): Edit[] {
  const steps: { x: number; y: number; isDeletion: boolean }[] = [];
  let diagonal = lastDiagonal;
  let x = lastX;
  for (let round = edits; round > 0; round -= 1) {
    const earlier = reached[round - 1] as Int32Array;
    const at = (wanted: number) => earlier[wanted + round] as number;
    const isDown = diagonal === -round || (diagonal !== round && at(diagonal - 1) + 1 <= at(diagonal + 1));
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    x = at(previous);
    steps.push({ x, y: x - previous, isDeletion: !isDown });
    diagonal = previous;
  }
  const merged: Edit[] = [];
  for (const { x: oldAt, y: newAt, isDeletion } of steps.reverse()) {
    const oldTo = oldAt + (isDeletion ? 1 : 0);
    const newTo = newAt + (isDeletion ? 0 : 1);
    const last = merged.at(-1);
    if (last && last.oldTo === oldAt && last.newTo === newAt) Object.assign(last, { oldTo, newTo });
    else merged.push({ oldFrom: oldAt, oldTo, newFrom: newAt, newTo });
  }
  return merged;
}

/** Edits whose context lines touch are shown together. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    if (last && previous && edit.oldFrom - previous.oldTo <= 2 * contextLines) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function makeChunk(edits: readonly Edit[], oldLines: readonly string[], newLines: readonly string[]): DiffChunk {
  const first = edits[0] as Edit;
  const last = edits.at(-1) as Edit;
  const before = Math.min(contextLines, first.oldFrom);
  const after = Math.min(contextLines, oldLines.length - last.oldTo);
  const span = {
    oldStart: first.oldFrom - before + 1,
    oldLines: last.oldTo + after - (first.oldFrom - before),
    newStart: first.newFrom - before + 1,
    newLines: last.newTo + after - (first.newFrom - before),
  };
  const changes: LineChange[] = [];
  let oldAt = first.oldFrom - before;
  let newAt = first.newFrom - before;
  const unchanged = (count: number) => {
    for (let line = 0; line < count; line += 1, oldAt += 1, newAt += 1) {
      changes.push({ type: "normal", normal: true, ln1: oldAt + 1, ln2: newAt + 1, content: ` ${oldLines[oldAt]}` });
    }
  };
  for (const edit of edits) {
    unchanged(edit.oldFrom - oldAt);
    for (; oldAt < edit.oldTo; oldAt += 1) {
      changes.push({ type: "del", del: true, ln: oldAt + 1, content: `-${oldLines[oldAt]}` });
    }
    for (; newAt < edit.newTo; newAt += 1) {
      changes.push({ type: "add", add: true, ln: newAt + 1, content: `+${newLines[newAt]}` });
    }
  }
  unchanged(after);
  return { content: `@@ -${span.oldStart},${span.oldLines} +${span.newStart},${span.newLines} @@`, ...span, changes };
}
