// An answer as JSON. A page's document is by far the largest part of its answer and mostly written before, for the store: an
// answer may carry the JSON of such a field, so that it is not written again. Writing it takes a tenth of all that a cached
// page costs.
import { jsonBytes } from "./json-bytes.ts";

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
  return fields ? jsonBytes(answer as object, fields) : JSON.stringify(answer);
}
