// Every candidate for every field of the pages, with what the ranker sees of it and whether it is right.
import { featuresOf } from "../../dist/extraction/ranking/features.js";
import { groupOf, readRow } from "./pages.mjs";

/** A page as it is, and without its markup where it has some. */
export function collect({ rows, compare, strip }, isWanted) {
  const questions = [];
  for (const row of rows) {
    if (!isWanted(row)) continue;
    const bytes = row.read();
    const bare = strip(bytes);
    if (row.set !== "swde") questions.push(...questionsOf(row, bytes, false, compare));
    questions.push(...questionsOf(row, bare, true, compare));
  }
  return questions;
}

function questionsOf(row, bytes, isStripped, compare) {
  const candidates = new Map();
  readRow(row, bytes, (field, found, page) => {
    const features = featuresOf(field, found, page);
    const path = Object.keys(row.kinds).find((one) => one.split(".").at(-1) === field.wanted.name);
    const kind = row.kinds[path];
    const gold = valueAt(row.expected, path);
    const accepted = valueAt(row.accepted, path) ?? row.accepted[path];
    candidates.set(
      path,
      found.map((one, place) => {
        const value = plainOf(one.found);
        const right = gold === undefined || gold === null ? { p: 0, r: 0 } : compare(kind, gold, accepted, value).exact;
        return { value, method: one.method, found: one.found, features: features[place], ...right };
      }),
    );
    return found.map(() => 0);
  });
  return Object.keys(row.kinds).flatMap((path) => {
    const gold = valueAt(row.expected, path);
    if (gold === undefined || (isStripped && gold !== null && !row.visible.includes(path))) return [];
    const { id, set, vertical, site, markup } = row;
    const field = set === "swde" ? `${vertical}.${path}` : path;
    const known = { id, set, site, markup, field, isStripped, group: groupOf(row) };
    return [{ ...known, gold, candidates: candidates.get(path) ?? [] }];
  });
}

function valueAt(object, path) {
  return path.split(".").reduce((value, step) => value?.[step], object);
}

function plainOf(found) {
  return found.kind === "list" ? found.items.map(plainOf) : found.value;
}
