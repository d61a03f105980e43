// Reads a JSON body within limits. The shape is measured on the text before parsing, so that a
// small hostile text cannot become a large tree.
import { ServiceError } from "../base/index.ts";

export interface JsonLimits {
  maxJsonDepth: number;
  maxJsonObjectKeys: number;
  maxJsonKeys: number;
  maxJsonItems: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** An empty text means no body (clients send the JSON content type with calls that have none). */
export function readJsonBody(text: string, limits: JsonLimits): unknown {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body.trim() === "") return undefined;
  checkShape(body, limits);
  try {
    return JSON.parse(body, dropPrototypeKeys(body));
  } catch (cause) {
    throw new ServiceError("BAD_REQUEST_INVALID_JSON", undefined, { cause });
  }
}

/** Walks the text once; outside of strings, every colon is a key of the innermost object, every comma another item. */
function checkShape(text: string, limits: JsonLimits): void {
  const keysAtDepth: number[] = [];
  let depth = 0;
  let keys = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case colon: {
        keys += 1;
        const own = (keysAtDepth[depth] ?? 0) + 1;
        keysAtDepth[depth] = own;
        if (own > limits.maxJsonObjectKeys) throw tooMuch(`an object with more than ${limits.maxJsonObjectKeys} keys`);
        if (keys > limits.maxJsonKeys) throw tooMuch(`more than ${limits.maxJsonKeys} keys`);
        break;
      }
      case comma:
        items += 1;
        if (items > limits.maxJsonItems) throw tooMuch(`more than ${limits.maxJsonItems} items`);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        keysAtDepth[depth] = 0;
        if (depth > limits.maxJsonDepth) throw tooMuch(`more than ${limits.maxJsonDepth} levels of nesting`);
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function tooMuch(what: string): ServiceError {
  return new ServiceError("BAD_REQUEST", undefined, {
    details: [{ code: "too_big", path: [], message: `The body has ${what}` }],
  });
}

/** Drops `__proto__` keys. The reviver costs time, so it runs only where the word occurs. */
function dropPrototypeKeys(text: string): ((key: string, value: unknown) => unknown) | undefined {
  if (!text.includes("__proto__") && !/\\u005f/i.test(text)) return undefined;
  return (key, value) => (key === "__proto__" ? undefined : value);
}
