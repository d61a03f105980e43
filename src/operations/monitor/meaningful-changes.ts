// The changes of a page that matter, as a language model names them. Only what the diff says is kept, so a text that the model
// made up never reaches a reader.
import { readDiff } from "../../text/index.ts";

export interface MeaningfulChange {
  type: "added" | "removed" | "changed";
  before: string | null;
  after: string | null;
  reason: string;
}

/** Changed lines that are shown when the model names none that the diff has. */
const mostLines = 20;

/** `text`: a unified diff, or what was found. */
export function meaningfulOf(named: unknown, text: string, reason: string): MeaningfulChange[] {
  const chunks = readDiff(text).files.flatMap((file) => file.chunks);
  const linesOf = (type: "add" | "del") =>
    chunks.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.type === type ? [change.content.slice(1).trim()] : [])),
    );
  const isDiff = chunks.length > 0;
  const [removed, added] = [linesOf("del"), linesOf("add")];
  const isSaid = (part: string, lines: readonly string[]) =>
    isDiff ? plain(lines.join("\n")).includes(plain(part)) : plain(text).includes(plain(part));
  const kept = (Array.isArray(named) ? named : []).flatMap((each): MeaningfulChange[] => {
    const before = textIn(each?.before);
    const after = textIn(each?.after);
    if (before !== null && !isSaid(before, removed)) return [];
    if (after !== null && !isSaid(after, added)) return [];
    return changeOf(before, after, textIn(each?.reason) ?? reason);
  });
  if (kept.length > 0 || !isDiff) return kept;
  const count = Math.min(mostLines, Math.max(removed.length, added.length));
  return Array.from({ length: count }).flatMap((_, place) =>
    changeOf(removed[place] || null, added[place] || null, reason),
  );
}

function changeOf(before: string | null, after: string | null, reason: string): MeaningfulChange[] {
  if (before === null && after === null) return [];
  const type = before === null ? "added" : after === null ? "removed" : "changed";
  return [{ type, before, after, reason }];
}

/** Without the mark of its line, which models copy too; null for an empty one. */
function textIn(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return value.replace(/^[+-]\s?/, "").trim() || null;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
