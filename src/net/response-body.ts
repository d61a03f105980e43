// Reads a body: counts it while it arrives, undoes its content encodings, stops at the first limit.
import type { Transform } from "node:stream";
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from "node:zlib";
import { ChunkList } from "./chunk-list.ts";
import { NetError, type ResponseHeaders } from "./outcome.ts";
import { createZstdDecoder } from "./zstd.ts";

export interface BodyLimits {
  wireBytes: number;
  decodedBytes: number;
  /** The body is complete with this many decoded bytes: the rest is skipped instead of refused. */
  firstBytes?: number;
}

type Encoding = "gzip" | "br" | "deflate" | "zstd";

/** Exactly what is undone here. */
export const acceptEncoding = "gzip, deflate, br, zstd";

const encodingNames: ReadonlyMap<string, Encoding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["deflate", "deflate"],
  ["zstd", "zstd"],
]);
const maxEncodings = 2;
const maxRatio = 200;
const ratioFreeBytes = 10 * 1024 * 1024;
/** Bodies up to these sizes are decoded in one call: a stream's thread hops cost more than the work (25 KB page). */
const smallWireBytes = 128 * 1024;
const smallDecodedBytes = 2 * 1024 * 1024;
const chunkSize = 64 * 1024;

/** How the source of the bytes is controlled. */
export interface Flow {
  pause(): void;
  resume(): void;
  /** No more bytes are wanted: these are all that were asked for. */
  enough(body: Buffer): void;
  /** No more bytes are wanted: something is wrong with them. */
  fail(error: NetError): void;
}

export class BodyReader {
  wireBytes = 0;
  private readonly wire = new ChunkList();
  private readonly decoded = new ChunkList();
  private chain: Transform[] | null = null;
  private isUnpacked = false;
  private whenUnpacked: (() => void) | null = null;
  private readonly encodings: readonly Encoding[];
  private readonly limits: BodyLimits;
  private readonly flow: Flow;

  constructor(headers: ResponseHeaders, limits: BodyLimits, flow: Flow) {
    this.limits = limits;
    this.flow = flow;
    this.encodings = readEncodings(headers["content-encoding"]);
    const isCut = limits.firstBytes !== undefined;
    if (!isCut && Number(headers["content-length"]) > limits.wireBytes) throw tooLarge(limits.wireBytes);
  }

  /** No encoding is to be undone. */
  get isPlain(): boolean {
    return this.encodings.length === 0;
  }

  write(chunk: Buffer): void {
    this.wireBytes += chunk.length;
    if (this.wireBytes > this.limits.wireBytes) throw tooLarge(this.limits.wireBytes);
    if (this.chain !== null) this.feed(this.chain, chunk);
    else this.wire.add(chunk);
    if (this.isPlain) this.stopAfter(this.wire, this.wireBytes);
    const isSmall = this.isPlain || this.wireBytes <= smallWireBytes;
    if (this.chain === null && !isSmall) this.openChain();
  }

  /** Calls back once, with the whole body or what is wrong with it. */
  end(done: (body: Buffer) => void): void {
    if (this.chain === null) {
      const wire = this.wire.take();
      if (this.encodings.length === 0 || wire.length === 0) {
        if (wire.length > this.limits.decodedBytes) throw tooLarge(this.limits.decodedBytes);
        done(wire);
        return;
      }
      const small = this.decodeSmall(wire);
      if (small !== null) {
        done(small);
        return;
      }
      this.wire.add(wire);
    }
    const chain = this.chain ?? this.openChain();
    this.whenUnpacked = () => done(this.decoded.take());
    if (this.isUnpacked) this.whenUnpacked();
    else chain[0]?.end();
  }

  destroy(): void {
    for (const stage of this.chain ?? []) stage.destroy();
  }

  /** Null when it is not small after all. */
  private decodeSmall(wire: Buffer): Buffer | null {
    if (this.encodings.includes("zstd")) return null;
    const maxOutputLength = Math.min(smallDecodedBytes, this.limits.decodedBytes);
    try {
      return this.encodings.reduce((data, encoding) => decodeWhole(encoding, data, maxOutputLength), wire);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") return null;
      throw brokenEncoding(error);
    }
  }

  private openChain(): Transform[] {
    const wire = this.wire.take();
    const chain = this.encodings.map((encoding, stage) =>
      this.createStage(encoding, stage === 0 ? wire[0] : undefined),
    );
    this.chain = chain;
    chain.forEach((stage, index) => {
      stage.on("error", (error) => this.flow.fail(error instanceof NetError ? error : brokenEncoding(error)));
      const next = chain[index + 1];
      if (next !== undefined) stage.pipe(next);
      // Every stage is counted: what the first makes of a bomb may be nothing after the second.
      let bytes = 0;
      stage.on("data", (data: Buffer) => {
        try {
          bytes += data.length;
          this.checkDecoded(bytes);
          if (next !== undefined) return;
          this.decoded.add(data);
          this.stopAfter(this.decoded, bytes);
        } catch (error) {
          this.destroy();
          this.flow.fail(error as NetError);
        }
      });
    });
    // Packed data says where it ends. Bytes that follow are passed over; no stage would take them.
    chain.at(-1)?.once("end", () => {
      this.isUnpacked = true;
      this.flow.resume();
      this.whenUnpacked?.();
    });
    this.feed(chain, wire);
    return chain;
  }

  private feed(chain: Transform[], chunk: Buffer): void {
    const [first] = chain;
    if (first === undefined || this.isUnpacked || first.write(chunk)) return;
    this.flow.pause();
    first.once("drain", () => this.flow.resume());
  }

  /** Whatever arrives later is dropped. */
  private stopAfter(list: ChunkList, bytes: number): void {
    const { firstBytes } = this.limits;
    if (firstBytes === undefined || bytes < firstBytes) return;
    this.destroy();
    this.flow.enough(list.take().subarray(0, firstBytes));
  }

  private createStage(encoding: Encoding, firstByte: number | undefined): Transform {
    if (encoding === "gzip") return createGunzip({ chunkSize });
    if (encoding === "br") return createBrotliDecompress({ chunkSize });
    if (encoding === "deflate")
      return isRawDeflate(firstByte) ? createInflateRaw({ chunkSize }) : createInflate({ chunkSize });
    // One slice of zstd can grow a thousandfold before the next stage sees any of it, so its output is counted inside.
    let output = 0;
    return createZstdDecoder((size) => {
      output += size;
      this.checkDecoded(output);
    });
  }

  private checkDecoded(decodedBytes: number): void {
    if (decodedBytes > this.limits.decodedBytes) throw tooLarge(this.limits.decodedBytes);
    if (decodedBytes > ratioFreeBytes && decodedBytes > maxRatio * this.wireBytes) {
      throw new NetError("SCRAPE_PAGE_TOO_LARGE", `The page grows more than ${maxRatio} times when decompressed`);
    }
  }
}

/** In the order in which they are undone. Names we do not know are passed over, as browsers do: they are mostly noise. */
function readEncodings(header: string | string[] | undefined): Encoding[] {
  if (header === undefined) return [];
  const names = String(header).toLowerCase().split(",");
  const encodings = names.flatMap((name) => encodingNames.get(name.trim()) ?? []).reverse();
  if (encodings.length <= maxEncodings) return encodings;
  throw new NetError("SCRAPE_PAGE_TOO_LARGE", `The page is compressed more than ${maxEncodings} times`);
}

/** `deflate` means zlib, but some servers send it bare. A zlib stream begins with the method 8. In a chain only the
 * outermost stage sees its first byte in time; bare deflate within another encoding has not been met. */
function isRawDeflate(firstByte: number | undefined): boolean {
  return firstByte !== undefined && (firstByte & 15) !== 8;
}

function decodeWhole(encoding: Encoding, data: Buffer, maxOutputLength: number): Buffer {
  if (data.length === 0) return data;
  const options = { maxOutputLength, chunkSize };
  if (encoding === "gzip") return gunzipSync(data, options);
  if (encoding === "br") return brotliDecompressSync(data, options);
  return isRawDeflate(data[0]) ? inflateRawSync(data, options) : inflateSync(data, options);
}

export function tooLarge(limitBytes: number): NetError {
  const limit = limitBytes >= 1024 * 1024 ? `${Math.floor(limitBytes / (1024 * 1024))} MB` : `${limitBytes} bytes`;
  return new NetError("SCRAPE_PAGE_TOO_LARGE", `The page is larger than ${limit}`);
}

function brokenEncoding(cause: unknown): NetError {
  return new NetError("SCRAPE_SITE_ERROR", "The page's content encoding is broken", cause);
}
