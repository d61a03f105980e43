// The URL of a page in bytes, of which four can be looked at together: one by one they take most of the time of a long list.
import { maxUrlLength } from "../../base/index.ts";
import type { SitePage } from "../scope/site-pages.ts";

export class UrlBytes {
  readonly bytes: Buffer;
  /** The same bytes, four in each. */
  readonly words: Int32Array;
  /** Where the URL begins and ends. What is left of its first and last word is 0. */
  from = 0;
  to = 0;

  constructor(size = maxUrlLength) {
    this.words = new Int32Array(Math.ceil(size / 4) + 2);
    this.bytes = Buffer.from(this.words.buffer);
  }

  /** Takes a URL of ASCII characters. Its path begins with a word, whatever comes before it. */
  write({ url, pathFrom }: Pick<SitePage, "url" | "pathFrom">): void {
    this.words[0] = 0;
    this.from = -pathFrom & 3;
    this.to = this.from + this.bytes.write(url, this.from, "latin1");
    this.bytes[this.to] = 0;
    this.bytes[this.to + 1] = 0;
    this.bytes[this.to + 2] = 0;
  }

  /** Takes the beginning of another one, so many bytes at most. */
  copy(other: UrlBytes, size: number): void {
    this.from = other.from;
    this.to = Math.min(other.to, other.from + size);
    for (let at = 0; at * 4 < this.to; at += 1) this.words[at] = other.words[at] as number;
  }

  /** How many bytes at the beginning are the same. */
  countShared(other: UrlBytes): number {
    if (this.from !== other.from) return this.countSharedBytes(other);
    const [words, otherWords] = [this.words, other.words];
    const end = Math.min(this.to, other.to);
    let at = 0;
    while (at + 4 <= end && words[at >> 2] === otherWords[at >> 2]) at += 4;
    while (at < end && this.bytes[at] === other.bytes[at]) at += 1;
    return at - this.from;
  }

  private countSharedBytes(other: UrlBytes): number {
    const most = Math.min(this.to - this.from, other.to - other.from);
    let count = 0;
    while (count < most && this.bytes[this.from + count] === other.bytes[other.from + count]) count += 1;
    return count;
  }
}
