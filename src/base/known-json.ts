// JSON texts of objects that were written before and do not change any more: an answer that holds such an object need not
// write it again. Writing a page's document takes a tenth of all that a stored page costs.
const texts = new WeakMap<object, string>();

/** `text` is the object's JSON from now on: whoever calls this promises to leave the object as it is. */
export function knowJson(value: object, text: string): void {
  texts.set(value, text);
}

/** `{ ...value, ...more }`; its text is known where that of `value` is. The two must have no name in common. */
export function extendObject<Value extends object, More extends object>(value: Value, more: More): Value & More {
  const whole = { ...value, ...more };
  const text = texts.get(value);
  if (text !== undefined) knowJson(whole, joinObjectTexts(text, JSON.stringify(more)));
  return whole;
}

/** The JSON text of one object that has the properties of two. */
export function joinObjectTexts(first: string, second: string): string {
  if (first === "{}") return second;
  return second === "{}" ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}

/** What JSON.stringify() gives, made of known texts where an answer holds such an object. */
export function toJson(answer: unknown): string {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return JSON.stringify(answer);
  const entries = Object.entries(answer);
  if (!entries.some(([, value]) => knownText(value) !== undefined)) return JSON.stringify(answer);
  const parts = entries.flatMap(([name, value]) => {
    const text = knownText(value) ?? JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${parts.join(",")}}`;
}

function knownText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}
