// zstd as a stream, by fzstd. Its window is allocated as the frame says (up to 2 GB) and moved once per block, so a few
// hostile bytes could cost gigabytes or minutes: every header is checked here before fzstd sees it.
import { Transform } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Decompress } from "fzstd";

/** RFC 9659: the most that an encoder for the web may use. */
const maxWindowBytes = 8 * 1024 * 1024;
const maxBlockBytes = 128 * 1024;
const maxFrames = 64;
/** Windows of all frames together, beyond what was decoded: each is garbage when its frame ends, and collected at leisure. */
const maxWindowWaste = 64 * 1024 * 1024;
/** Blocks beyond these must hold at least 1 KB on average. */
const freeBlocks = 1000;
/** Small enough that the empty blocks of one slice take no more than some ten milliseconds. */
const sliceBytes = 512;
const turnMs = 8;

const magic = 0xfd2fb528;
const isSkippable = (word: number) => word >>> 4 === 0x184d2a5;

/** Follows the frames and blocks of a zstd stream from their headers alone; throws on what must not be decoded. */
class FrameWalker {
  blocks = 0;
  decodedBytes = 0;
  private frames = 0;
  private windowBytes = 0;
  private isInFrame = false;
  private hasChecksum = false;
  private skip = 0;
  private readonly head = Buffer.alloc(18);
  private length = 0;
  private needed = 5;

  walk(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(this.skip, chunk.length - at);
      this.skip -= skipped;
      at += skipped;
      while (this.skip === 0 && at < chunk.length) {
        this.head[this.length++] = chunk[at++] as number;
        if (this.length >= this.needed) this.read();
      }
    }
  }

  get isComplete(): boolean {
    return !this.isInFrame && this.skip === 0 && this.length === 0;
  }

  private read(): void {
    if (this.isInFrame) this.readBlock();
    else this.readFrame();
  }

  private readFrame(): void {
    const word = this.head.readUInt32LE(0);
    if (isSkippable(word)) {
      if (this.needed < 8) {
        this.needed = 8;
        return;
      }
      this.expect(5, this.head.readUInt32LE(4));
      return;
    }
    if (word !== magic) throw new Error("not zstd");
    const flags = this.head[4] as number;
    const isSingle = (flags & 32) !== 0;
    const dictionaryBytes = [0, 1, 2, 4][flags & 3] as number;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] as number;
    const headBytes = 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
    if (this.length < headBytes) {
      this.needed = headBytes;
      return;
    }
    this.frames += 1;
    const windowBytes = isSingle ? this.contentSize(headBytes - sizeBytes, sizeBytes) : this.windowSize();
    if (windowBytes > maxWindowBytes || this.frames > maxFrames) throw new Error("zstd frame too large");
    this.windowBytes += windowBytes;
    if (this.windowBytes - this.decodedBytes > maxWindowWaste)
      throw new Error("zstd frames too many for what they hold");
    this.hasChecksum = (flags & 4) !== 0;
    this.isInFrame = true;
    this.expect(3, 0);
  }

  private readBlock(): void {
    const header = this.head.readUIntLE(0, 3);
    const size = header >>> 3;
    if (size > maxBlockBytes) throw new Error("zstd block too large");
    this.blocks += 1;
    const bodyBytes = ((header >> 1) & 3) === 1 ? 1 : size;
    this.isInFrame = (header & 1) === 0;
    if (this.isInFrame) this.expect(3, bodyBytes);
    else this.expect(5, bodyBytes + (this.hasChecksum ? 4 : 0));
  }

  private expect(needed: number, skip: number): void {
    this.needed = needed;
    this.length = 0;
    this.skip = skip;
  }

  private windowSize(): number {
    const descriptor = this.head[5] as number;
    const base = 2 ** (10 + (descriptor >> 3));
    return base + (base / 8) * (descriptor & 7);
  }

  private contentSize(at: number, sizeBytes: number): number {
    if (sizeBytes === 8) return Number(this.head.readBigUInt64LE(at));
    return this.head.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  }
}

/** `onOutput` is called for every block before it is kept, and throws when there is enough. */
export function createZstdDecoder(onOutput: (sizeBytes: number) => void): Transform {
  const walker = new FrameWalker();
  const decoder = new Decompress((block) => {
    walker.decodedBytes += block.length;
    onOutput(block.length);
    if (walker.blocks > freeBlocks && walker.blocks * 1024 > walker.decodedBytes)
      throw new Error("zstd blocks too small");
    // fzstd still reads the block after this call, so it is never handed on for writing; a Buffer view does no harm.
    if (block.length > 0) stream.push(Buffer.from(block.buffer, block.byteOffset, block.length));
  });

  async function decode(chunk: Buffer): Promise<void> {
    let turnEnds = performance.now() + turnMs;
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      if (stream.destroyed) return;
      const slice = chunk.subarray(at, at + sliceBytes);
      walker.walk(slice);
      decoder.push(slice);
      if (performance.now() < turnEnds) continue;
      await setImmediate();
      turnEnds = performance.now() + turnMs;
    }
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      decode(chunk).then(() => done(), done);
    },
    flush(done) {
      try {
        if (!walker.isComplete) throw new Error("zstd ends early");
        decoder.push(new Uint8Array(0), true);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return stream;
}
