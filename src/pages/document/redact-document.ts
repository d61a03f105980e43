// redactPII: what names or reaches a person is taken out of everything that a document says.

import type { Document, ScrapeOptions } from "../../contract/index.ts";
import { phoneTestFor, type RedactedKind, type Redaction, redactText } from "../../safety/index.ts";

const allKinds: readonly RedactedKind[] = ["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"];

/** More characters are not looked through: it would keep the server from other work. */
const mostCharacters = 5_000_000;

/** Said of the server and of the page itself, not by the page. */
const ownFacts = new Set([
  "url",
  "sourceURL",
  "scrapeId",
  "contentType",
  "cachedAt",
  "proxyUsed",
  "pageState",
  "language",
  "declaredLanguage",
  "screenshot",
]);

/** A phone or card as a number has at least so many digits. */
const leastNumber = 1e7;

/** Null when nothing is to be redacted. */
export async function redactionOf(
  { redactPII }: Pick<ScrapeOptions, "redactPII">,
  { metadata: { language, declaredLanguage, url = "" } }: Document,
  names: readonly string[],
): Promise<Redaction | null> {
  if (redactPII === false) return null;
  const { mode, entities, replaceStyle = "tag" } = redactPII === true ? {} : redactPII;
  const kinds = new Set(entities ?? allKinds);
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const isPhone = kinds.has("PHONE") ? await phoneTestFor([language, declaredLanguage], host) : null;
  return { kinds, style: replaceStyle, isLoose: mode === "aggressive", names, isPhone };
}

export function mayRedact(document: Document): boolean {
  return lengthOf(document) <= mostCharacters;
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, below) => sum + lengthOf(below), 0);
}

/** The same value with every text in it redacted. */
export function redactValue<Value>(value: Value, redaction: Redaction): Value {
  const redact = (one: unknown, name: string): unknown => {
    if (typeof one === "string")
      return ownFacts.has(name) || one.startsWith("data:") ? one : redactText(one, redaction);
    if (typeof one === "number") return redactNumber(one, redaction);
    if (Array.isArray(one)) return one.map((item) => redact(item, name));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, below]) => [key, redact(below, key)]));
  };
  return redact(value, "") as Value;
}

function redactNumber(value: number, redaction: Redaction): number | string {
  if (!Number.isSafeInteger(value) || value < leastNumber) return value;
  const text = redactText(String(value), redaction);
  return text === String(value) ? value : text;
}

const picturesStay = "redactPII does not change pictures: screenshots show the page as it is.";

export function redactionWarnings({ screenshot, actions }: Document): string[] {
  const hasPictures = screenshot !== undefined || (actions?.screenshots?.length ?? 0) > 0;
  return hasPictures ? [picturesStay] : [];
}
