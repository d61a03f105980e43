// An answer as JSON text. A page's document is by far the largest part of its answer and mostly written before, for the
// store: an answer may carry the text of such a field, so that it is not written again. Writing it takes a tenth of all that
// a cached page costs.

const fieldTexts = Symbol("JSON text of fields");

interface WithTexts {
  [fieldTexts]?: Readonly<Record<string, () => string>>;
}

/**
 * The answer, carrying the JSON text of some of its fields, made when the answer is written. It is frozen, and so are these
 * fields: the texts stay true. A copy of the answer does not carry them.
 */
export function withFieldJson<Answer extends object>(
  answer: Answer,
  texts: { readonly [Name in keyof Answer & string]?: () => string },
): Readonly<Answer> {
  for (const name of Object.keys(texts)) Object.freeze((answer as Record<string, unknown>)[name]);
  Object.defineProperty(answer, fieldTexts, { value: texts, enumerable: false });
  return Object.freeze(answer);
}

/** The JSON text of one object that has the properties of two. */
export function joinObjectTexts(first: string, second: string): string {
  if (first === "{}") return second;
  return second === "{}" ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}

/** What JSON.stringify() gives, made from the texts that the answer carries. */
export function toJson(answer: unknown): string {
  const texts = typeof answer === "object" && answer !== null ? (answer as WithTexts)[fieldTexts] : undefined;
  if (!texts) return JSON.stringify(answer);
  const parts = Object.entries(answer as object).flatMap(([name, value]) => {
    const text = texts[name]?.() ?? JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${parts.join(",")}}`;
}
