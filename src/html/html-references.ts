// Resolves character references (`&amp;`, `&#38;`) with htmlparser2, each once per page.
import { Parser } from "htmlparser2";

const inTexts = /&(?:#\d+;?|#x[\da-f]+;?|[a-z][a-z\d]*;?)/gi;
/** In a value a name without a semicolon counts only when no `=`, letter or digit follows: `?a=1&copy=2` is a URL. */
const inValues = /&(?:#\d+;?|#x[\da-f]+;?|[a-z][a-z\d]*(?:;|(?![=a-z\d])))/gi;

export class References {
  private readonly texts = new Map<string, string>();
  private readonly values = new Map<string, string>();

  readText(text: string): string {
    return text.replace(inTexts, (reference) => once(this.texts, reference, readInText));
  }

  readValue(value: string): string {
    return value.replace(inValues, (reference) => once(this.values, reference, readInValue));
  }
}

/** Resolves the references of a text that is not part of a page's markup. */
export function readReferences(text: string): string {
  return text.includes("&") ? new References().readText(text) : text;
}

function once(known: Map<string, string>, reference: string, read: (reference: string) => string): string {
  const earlier = known.get(reference);
  if (earlier !== undefined) return earlier;
  const text = read(reference);
  known.set(reference, text);
  return text;
}

function readInText(reference: string): string {
  let text = "";
  const ontext = (piece: string) => {
    text += piece;
  };
  new Parser({ ontext }).end(reference);
  return text;
}

function readInValue(reference: string): string {
  let text = "";
  const onattribute = (_name: string, value: string) => {
    text = value;
  };
  new Parser({ onattribute }).end(`<a b="${reference}">`);
  return text;
}
