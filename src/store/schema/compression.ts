// Brotli at quality 3: about gzip 6's size (within 7 %) for 0.4 to 0.7 of its CPU. Measured on three real pages (26 kB to 1 MB)
// and two Markdown texts (23 and 84 kB), x64, Node 20.20, size left in % and CPU in ms per MB, smallest to largest:
//   gzip 1  11–48 %   5–14     brotli 1  10–51 %   3–8
//   gzip 3  10–47 %   8–17     brotli 3   9–47 %   7–18
//   gzip 6   9–45 %  15–33     brotli 4   9–46 %   9–27
//   gzip 9   9–45 %  22–33     brotli 5   8–44 %  15–39
// Unpacking costs 2–7 ms per MB with all of them. Noise (images) costs brotli 3 about 5 ms per MB and is then left as it is.
// Node's asynchronous zlib works in its thread pool, so the event loop stays free; but the hop costs about 100 µs, more than
// packing a small text does. Measured on a 25 kB page (CPU): brotli 1 on this thread 115 µs, brotli 3 176 µs, and 271 µs in the
// pool; unpacking 60 µs against 104 µs. So small data is packed here and now, at quality 0: on 26 texts and pages of 3 to 64 kB
// it leaves 1 % more than quality 1 (45 % of the size) and takes 4.0 ms of CPU per MB instead of 6.1.
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from "node:zlib";
import { ServiceError } from "../../base/index.ts";

/** Below this the saving is not worth the hop to another thread. */
const smallestBytes = 512;
/** Up to this size the work is done on the calling thread. */
const largestInline = 64 * 1024;
/** What is not made at least this much smaller stays as it is, so that reading it costs nothing. */
const worthwhileRatio = 0.95;
/** As large as a page may be after decoding. */
const largestBytes = 100 * 1024 * 1024;

export interface Compressed {
  encoding: "identity" | "br";
  data: Uint8Array;
}

/** Made ready for writing: packing takes time that no open transaction should wait for. */
export type Packed<Row> = Row & PackedText;

interface PackedText {
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

export async function compressText(text: string): Promise<PackedText> {
  const plain = Buffer.from(text);
  return { ...(await compress(plain)), sizeBytes: plain.byteLength };
}

export async function decompressText({ encoding, data, sizeBytes }: PackedText): Promise<string> {
  const { buffer, byteOffset, byteLength } = await decompress(encoding, data, sizeBytes);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

export async function compress(data: Uint8Array): Promise<Compressed> {
  if (data.byteLength > largestBytes) {
    throw new ServiceError("INTERNAL_ERROR", `A blob of ${data.byteLength} bytes is larger than ${largestBytes}.`);
  }
  if (data.byteLength < smallestBytes) return { encoding: "identity", data };
  const isSmall = data.byteLength <= largestInline;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isSmall ? 0 : 3,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.byteLength,
    // A window no larger than the data: on a 25 kB page 58 µs instead of 89, and the same size.
    ...(isSmall ? { [constants.BROTLI_PARAM_LGWIN]: 16 } : {}),
  };
  const packed = isSmall ? brotliCompressSync(data, { params }) : await promisify(brotliCompress)(data, { params });
  const isWorthwhile = packed.byteLength < data.byteLength * worthwhileRatio;
  return isWorthwhile ? { encoding: "br", data: withoutSlack(packed) } : { encoding: "identity", data };
}

/**
 * zlib hands out views of 16 kB: packed pages wait for their transaction long enough to be promoted, and what they hold then
 * lies there until the next full collection. Without the slack it is half as much.
 */
function withoutSlack(packed: Buffer): Buffer {
  return packed.buffer.byteLength === packed.byteLength ? packed : Buffer.from(packed);
}

/** Gives exactly `sizeBytes` or throws: a damaged row can neither grow without bound nor come out short. */
export async function decompress(encoding: string, data: Uint8Array, sizeBytes: number): Promise<Uint8Array> {
  const plain = encoding === "br" ? await unpack(data, sizeBytes) : data;
  if (plain.byteLength !== sizeBytes) throw damaged(`${plain.byteLength} bytes instead of ${sizeBytes}`);
  return plain;
}

async function unpack(data: Uint8Array, sizeBytes: number): Promise<Uint8Array> {
  if (sizeBytes > largestBytes) throw damaged(`${sizeBytes} bytes are announced`);
  try {
    const options = { maxOutputLength: Math.max(sizeBytes, 1) };
    return sizeBytes <= largestInline
      ? brotliDecompressSync(data, options)
      : await promisify(brotliDecompress)(data, options);
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause: unknown): ServiceError {
  return new ServiceError("INTERNAL_ERROR", "A stored blob is damaged and cannot be read.", { cause });
}
