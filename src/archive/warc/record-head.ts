// The head of a WARC record: its version and its fields.

export interface RecordHead {
  version: string;
  fields: readonly (readonly [name: string, value: string])[];
}

export class WarcFault extends Error {}

/** Without the empty line at its end. Names come in any case, and lines may end in LF alone. */
export function readRecordHead(text: string): RecordHead {
  const [version = "", ...lines] = text.split(/\r?\n/);
  if (!/^WARC\/\d+\.\d+$/.test(version.trim())) throw new WarcFault("A record does not begin with its version");
  const fields: [string, string][] = [];
  for (const line of lines) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) {
      last[1] += ` ${line.trim()}`;
      continue;
    }
    if (line === "") continue;
    const colon = line.indexOf(":");
    if (colon <= 0) throw new WarcFault("A record header has a line that is no field");
    fields.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return { version: version.trim(), fields };
}

export function warcField({ fields }: Pick<RecordHead, "fields">, wanted: string): string | null {
  const name = wanted.toLowerCase();
  return fields.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

/** As other tools write it: in angle brackets, with spaces. */
export function targetUri(head: Pick<RecordHead, "fields">): string {
  const text = warcField(head, "WARC-Target-URI") ?? "";
  return text
    .replace(/^<(.*)>$/s, "$1")
    .trim()
    .replace(/\s/g, (character) => encodeURIComponent(character));
}

/** In milliseconds since 1970; null for what is no time. */
export function timeOf(text: string | null): number | null {
  if (text === null) return null;
  const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(text.trim());
  if (compact) {
    const [, year, month, day, hour, minute, second, ms = "000"] = compact;
    return timeOf(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  }
  const at = Date.parse(text.trim().replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(at) ? null : at;
}

/** Splits a whole record into its head and its block. */
export function splitRecord(record: Buffer): { head: RecordHead; block: Buffer } {
  const crlf = record.indexOf("\r\n\r\n");
  const lf = record.indexOf("\n\n");
  const isLf = crlf === -1 || (lf !== -1 && lf < crlf);
  const end = isLf ? lf : crlf;
  if (end === -1) throw new WarcFault("A record header does not end");
  const head = readRecordHead(record.toString("utf8", 0, end));
  const from = end + (isLf ? 2 : 4);
  const length = Number(warcField(head, "Content-Length"));
  return { head, block: record.subarray(from, from + length) };
}
