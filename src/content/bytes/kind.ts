// What the bytes are, by the declared type and by inspection, because servers declare anything as anything.
import signatures from "./binary-signatures.json" with { type: "json" };

export type ContentKind = "html" | "text" | "code" | "json" | "xml" | "binary";

/** How much is inspected: enough for every signature and for a reliable count of control bytes. */
const sampleBytes = 4096;

/** Says what kind of binary file the bytes are, or null when bytes and declared type together can be text. */
export function binaryReason(bytes: Uint8Array, contentType: string | null): string | null {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, sampleBytes));
  const start = sample.toString("latin1", 0, 64);
  const declared = kindOfType(typeOf(contentType));
  const isWide = /charset\s*=\s*["']?utf-?16/i.test(contentType ?? "") || /^(?:\xff\xfe|\xfe\xff)/.test(start);
  const isText = isWide || isTextSample(sample, declared);
  for (const { offset, bytes: signature, name } of signatures) {
    if (!start.startsWith(signature, offset)) continue;
    if (signature.startsWith("%PDF") || /[^\x20-\x7e]/.test(signature)) return `The file is ${name}`;
    // Openings like "BZh" also begin words of plain texts, so these need bytes that texts do not have.
    const { nuls, controls } = countControls(sample);
    if (!isText || (declared === null && nuls + controls > 0)) return `The file is ${name}`;
  }
  return isText ? null : "The file is binary";
}

/**
 * Compressed bytes hold 11 % control bytes; texts hold none, or a stray one. Bytes that are declared as text may hold
 * more NULs than that, and a page with tags in it any number: browsers pass over them.
 */
function isTextSample(sample: Buffer, declared: ContentKind | null): boolean {
  const { nuls, controls } = countControls(sample);
  const isWithin = (count: number, share: number) => count <= 2 || count <= sample.length * share;
  if (isWithin(nuls + controls, 0.02)) return true;
  if ((declared === "html" || declared === null) && hasTags(sample)) return isWithin(controls, 0.05);
  return declared !== null && isWithin(controls, 0.02) && isWithin(nuls, 0.3);
}

function hasTags(sample: Buffer): boolean {
  return /<(?:!doctype html|\/?(?:html|head|body|title|meta|div|span|p|a|br|ul|li|table|h[1-6]))[\s>/]/i.test(
    sample.toString("latin1").replaceAll("\0", ""),
  );
}

/** Bytes that no text contains (WHATWG "binary data bytes"), NULs apart. */
function countControls(sample: Uint8Array): { nuls: number; controls: number } {
  let nuls = 0;
  let controls = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const byte = sample[index] as number;
    if (byte === 0) nuls += 1;
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) controls += 1;
  }
  return { nuls, controls };
}

function typeOf(contentType: string | null): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

const htmlOpenings =
  /^(?:<!doctype html|<(?:html|head|body|script|title|meta|div|p|h[1-6]|table|a|style|br|ul|main)[\s>/])/i;

/** The kind of a text, by its declared type and, where that says little, by how it begins. */
export function kindOf(text: string, contentType: string | null): ContentKind {
  const type = typeOf(contentType);
  const start = text.slice(0, 512).replaceAll("\0", "").trimStart();
  const declared = kindOfType(type);
  if (declared === "xml") return /<html[\s>]/i.test(start) && !/<(?:rss|feed)[\s>]/i.test(start) ? "html" : "xml";
  if (declared === "html") return isBareJson(text, start) ? "json" : "html";
  if (declared !== null) return declared;
  if (start.startsWith("<?xml")) return /<html[\s>]/i.test(start) ? "html" : "xml";
  if (/^<(?:rss|feed)[\s>]/i.test(start)) return "xml";
  if (htmlOpenings.test(start) || start.startsWith("<!--")) return "html";
  if (isBareJson(text, start)) return "json";
  return type === "" && /<(?:html|body|div|p|a|br|table|h[1-6])[\s>/]/i.test(text.slice(0, 4096)) ? "html" : "text";
}

function kindOfType(type: string): ContentKind | null {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type.endsWith("/json") || type.endsWith("+json") || type === "application/x-ndjson") return "json";
  if (type.endsWith("/xml") || type.endsWith("+xml")) return "xml";
  if (/\/(?:x-)?(?:javascript|ecmascript|typescript|css|yaml|toml|sh|python)$/.test(type)) return "code";
  return type.startsWith("text/") ? "text" : null;
}

/** JSON served as HTML: no tag anywhere, and it parses. */
function isBareJson(text: string, start: string): boolean {
  if (!start.startsWith("{") && !start.startsWith("[")) return false;
  if (text.length > 1_000_000 || text.includes("</")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
