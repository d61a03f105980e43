// An answer as JSON. A page's document is by far the largest part of its answer, and its JSON was mostly written before, for the
// store: an answer may carry that JSON. Writing it again takes 4 to 9 % of a cached scrape (docs/decisions/0028-what-was-deleted.md).

const fieldJson = Symbol("JSON of fields");

interface WithJson {
  [fieldJson]?: Readonly<Record<string, () => Buffer>>;
}

/**
 * The answer, carrying the JSON of some of its fields, made when the answer is written. It is frozen, and so are these fields:
 * the JSON stays true. A copy of the answer does not carry it.
 */
export function withFieldJson<Answer extends object>(
  answer: Answer,
  fields: { readonly [Name in keyof Answer & string]?: () => Buffer },
): Readonly<Answer> {
  for (const name of Object.keys(fields)) Object.freeze((answer as Record<string, unknown>)[name]);
  Object.defineProperty(answer, fieldJson, { value: fields, enumerable: false });
  return Object.freeze(answer);
}

/** The JSON of one object that has the properties of two. */
export function joinObjects(first: Buffer, second: string): Buffer {
  if (second === "{}") return first;
  return isEmptyObject(first)
    ? Buffer.from(second)
    : Buffer.concat([first.subarray(0, -1), Buffer.from(`,${second.slice(1)}`)]);
}

const isEmptyObject = (json: Buffer) => json.length === "{}".length;

/** What JSON.stringify() gives, made from what the answer carries. */
export function toJson(answer: unknown): string | Buffer {
  const fields = typeof answer === "object" && answer !== null ? (answer as WithJson)[fieldJson] : undefined;
  if (fields === undefined) return JSON.stringify(answer);
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(answer as object)) {
    const json = Object.hasOwn(fields, name) ? fields[name]?.() : JSON.stringify(value);
    if (json === undefined) continue;
    parts.push(
      Buffer.from(`${parts.length === 0 ? "{" : ","}${JSON.stringify(name)}:`),
      typeof json === "string" ? Buffer.from(json) : json,
    );
  }
  return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? "{}" : "}")]);
}
