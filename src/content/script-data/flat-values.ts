// Page state as Nuxt and React Router write it: each value is once in one list, and all others refer to it by index.

const maxDepth = 200;
const maxValues = 500_000;
/** Values that JSON has no word for are negative places. */
const isNothing = (place: unknown) => typeof place !== "number" || place < 0;

/** What the list describes; undefined when it is no such list. */
export function unfoldValues(list: unknown): unknown {
  if (!Array.isArray(list) || list.length < 2 || typeof list[0] !== "object" || list[0] === null) return undefined;
  const known = new Map<number, unknown>();
  let left = maxValues;

  const valueAt = (place: unknown, depth: number): unknown => {
    if (isNothing(place) || depth > maxDepth) return null;
    const at = place as number;
    if (known.has(at)) return known.get(at);
    left -= 1;
    const written: unknown = left < 0 ? null : list[at];
    if (typeof written !== "object" || written === null) return written;
    if (Array.isArray(written)) return listAt(at, written, depth);
    const object: Record<string, unknown> = {};
    known.set(at, object);
    for (const [key, value] of Object.entries(written)) {
      const name = /^_\d+$/.test(key) ? list[Number(key.slice(1))] : key;
      if (typeof name === "string" && name !== "__proto__") object[name] = valueAt(value, depth + 1);
    }
    return object;
  };

  const listAt = (at: number, written: readonly unknown[], depth: number): unknown => {
    const [kind, first] = written;
    if (typeof kind !== "string") {
      const items: unknown[] = [];
      known.set(at, items);
      for (const place of written) items.push(valueAt(place, depth + 1));
      return items;
    }
    // A date has its time beside its kind, a set its members; all others wrap one value.
    const value = typeof first === "number" && !/^Date|^D$/.test(kind) ? valueAt(first, depth + 1) : null;
    known.set(at, value);
    return value;
  };

  return valueAt(0, 0);
}
