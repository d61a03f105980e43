// The changes of a page that matter, as a language model names them. Only what the diff says is kept, in the words of the diff,
// so a text that the model made up never reaches a reader.
import { isObject } from "../../base/index.ts";
import { readDiff } from "../../text/index.ts";

export interface MeaningfulChange extends ChangedText {
  type: "added" | "removed" | "changed";
  reason: string;
}

/** What was there, and what is there now; null for nothing. */
export interface ChangedText {
  before: string | null;
  after: string | null;
}

/** Changes that are shown when the model names none that the diff has. */
const mostShown = 20;

/** Lines of the text in their order, then fields. */
export function changedTexts({ text = "", json }: { text?: string; json?: unknown }): ChangedText[] {
  const changes = readDiff(text).files.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.changes));
  const linesOf = (type: "add" | "del") =>
    changes.flatMap((change) => (change.type === type ? [change.content.slice(1).trim()] : []));
  const [removed, added] = [linesOf("del"), linesOf("add")];
  const lines = Array.from({ length: Math.max(removed.length, added.length) }, (_, place) => ({
    before: removed[place] || null,
    after: added[place] || null,
  }));
  const fields = isObject(json) ? Object.values(json).filter(isObject) : [];
  return [
    ...lines,
    ...fields.map(({ previous, current }) => ({ before: valueText(previous), after: valueText(current) })),
  ];
}

export function meaningfulOf(named: unknown, changed: readonly ChangedText[], reason: string): MeaningfulChange[] {
  const was = changed.flatMap(({ before }) => before ?? []).join("\n");
  const is = changed.flatMap(({ after }) => after ?? []).join("\n");
  const kept = (Array.isArray(named) ? named : []).filter(isObject).flatMap((each): MeaningfulChange[] => {
    const [before, after] = [wordsIn(each.before), wordsIn(each.after)];
    const said = { before: before && verbatim(before, was), after: after && verbatim(after, is) };
    // A part that the diff does not have makes the whole doubtful.
    if ((before !== null) !== (said.before !== null) || (after !== null) !== (said.after !== null)) return [];
    return changeOf(said, typeof each.reason === "string" ? each.reason : reason);
  });
  return kept.length > 0 ? kept : changed.flatMap((each) => changeOf(each, reason)).slice(0, mostShown);
}

function changeOf({ before, after }: ChangedText, reason: string): MeaningfulChange[] {
  if (before === null && after === null) return [];
  const type = before === null ? "added" : after === null ? "removed" : "changed";
  return [{ type, before, after, reason }];
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function wordsIn(value: unknown): string | null {
  return (typeof value === "string" || typeof value === "number" ? String(value).trim() : "") || null;
}

/** The part as the text has it, whatever white space it was copied with; models also copy the mark of a line. */
function verbatim(part: string, text: string): string | null {
  for (const words of [part, part.replace(/^[+-]\s*/, "")]) {
    const pattern = words
      .split(/\s+/)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("\\s+");
    const found = pattern === "" ? null : new RegExp(pattern).exec(text);
    if (found) return found[0];
  }
  return null;
}
