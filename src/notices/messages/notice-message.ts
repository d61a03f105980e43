// What a channel is given: a title and blocks of text and code, and how blocks are cut to its size.

/** What happened, in the words of its source. */
export interface Notice {
  /** In one line. */
  title: string;
  text: string;
  /** What is different on the pages, as unified diffs; "" where nothing is compared. */
  change: string;
  level: Level;
  /** Of the monitor or job. */
  name: string;
  status: string;
  error: string;
  /** The page, site or setting that it is about; "" without one. */
  url: string;
  /** Where this server says more; "" without a place. */
  link: string;
  at: number;
}

export type Level = "info" | "trouble" | "recovered";

export interface MessageBlock {
  kind: "text" | "code";
  value: string;
}

export interface Message {
  /** The same for every attempt. */
  id: string;
  title: string;
  blocks: readonly MessageBlock[];
  level: Level;
  link: string;
}

export interface BlockStyle {
  text(value: string): string;
  code(value: string): string;
  /** Between two blocks. */
  gap: string;
}

export const plainStyle: BlockStyle = { text: (value) => value, code: (value) => value, gap: "\n\n" };

const ellipsis = "…";
/** Where a block has less room than this, it is left out. */
const leastRoom = 20;

/** The blocks as one text of at most this size; what does not fit is cut and ends with an ellipsis. */
export function writeBlocks(
  blocks: readonly MessageBlock[],
  style: BlockStyle,
  most: number,
  sizeOf: (text: string) => number = (text) => text.length,
): string {
  let written = "";
  for (const { kind, value } of blocks) {
    const write = style[kind];
    const head = written === "" ? "" : style.gap;
    const room = most - sizeOf(written + head);
    const whole = write(value);
    if (sizeOf(whole) <= room) {
      written += head + whole;
      continue;
    }
    if (room >= leastRoom) written += head + write(cutToFit(value, (text) => sizeOf(write(text)) <= room));
    break;
  }
  return written;
}

/** The longest beginning that fits with its ellipsis; no character is split. */
function cutToFit(value: string, fits: (text: string) => boolean): string {
  let [low, high] = [0, value.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(value.slice(0, middle) + ellipsis)) low = middle;
    else high = middle - 1;
  }
  return value.slice(0, low).replace(/[\ud800-\udbff]$/, "") + ellipsis;
}

export function inOneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}${ellipsis}`;
}

export function sizeInBytes(text: string): number {
  return Buffer.byteLength(text);
}

export function escapeMarkup(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Without the punctuation of its sentence. */
const urls = /https?:\/\/[^\s<>]*[^\s<>.,:;!?)"']/g;
const listMarkers = /^\s*(?:[-+]|\d+[.)])(?=\s)/gm;

/** For channels that read Markdown: what a page says is no markup of theirs, and a URL stays whole. */
export function escapeMarkdown(
  text: string,
  special: RegExp,
  linkTo: (url: string) => string = (url) => `<${url}>`,
): string {
  const plain = (part: string) =>
    part.replace(special, "\\$&").replace(listMarkers, (marker) => `${marker.slice(0, -1)}\\${marker.slice(-1)}`);
  let escaped = "";
  let from = 0;
  for (const { 0: url, index } of text.matchAll(urls)) {
    escaped += plain(text.slice(from, index)) + linkTo(url);
    from = index + url.length;
  }
  return escaped + plain(text.slice(from));
}
