// Blobs as objects of an S3-compatible store. Requests are signed (Signature Version 4) with the hash of their body, name the
// bucket in the path, and go to the operator's host and nowhere else.
import { hash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { FetchSuccess, Net } from "../net/index.ts";
import { type BlobPlace, fanOf, type PlacedObject } from "../store/index.ts";

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** For one request, in addition to the time for its bytes. */
  timeoutMs: number;
}

interface Call {
  method: "GET" | "PUT" | "POST";
  /** "" is the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
  /** Of the requested object. */
  sizeBytes?: number;
}

const bytesPerMs = 500;
/** The answer to anything but the bytes of an object. */
const mostAnswerBytes = 4 * 1024 * 1024;
const folder = "blobs/";
/** The most that one request may name. */
const mostNamed = 1000;

export type S3Objects = ReturnType<typeof createS3Objects>;

export interface S3Object {
  key: string;
  changedAt: number;
}

/** The objects of a bucket, by their keys, which are parts of a URL. */
export function createS3Objects({ net }: { net: Pick<Net, "fetch" | "close"> }, options: S3Options) {
  const { endpoint, bucket, timeoutMs, ...credentials } = options;

  async function call({ method, key, query = {}, headers = {}, body, sizeBytes = 0 }: Call) {
    // With room for the text of an error.
    const mostBytes = Math.max(sizeBytes, mostAnswerBytes);
    const url = new URL(`${endpoint}/${bucket}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "x-amz-content-sha256": hash("sha256", body ?? "", "hex") },
      ...credentials,
      service: "s3",
    }).sign();
    const outcome = await net.fetch({
      url: signed.url.href,
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body === undefined ? {} : { body }),
      allowOrigin: endpoint,
      followRedirects: false,
      signal: AbortSignal.timeout(timeoutMs + Math.ceil((sizeBytes + (body?.byteLength ?? 0)) / bytesPerMs)),
      limits: { wireBytes: mostBytes, decodedBytes: mostBytes },
    });
    if (!outcome.ok) throw new Error(`The S3 store cannot be reached: ${outcome.code} ${outcome.message}`);
    return outcome;
  }

  return {
    async put(key: string, bytes: Uint8Array): Promise<void> {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      requireGood(await call({ method: "PUT", key, body }));
    },

    async get(key: string, sizeBytes: number): Promise<Buffer | null> {
      const answer = await call({ method: "GET", key, sizeBytes });
      return isMissing(answer) ? null : requireGood(answer).body;
    },

    async getPart(key: string, start: number, byteCount: number): Promise<Buffer | null> {
      const headers = { range: `bytes=${start}-${start + byteCount - 1}` };
      const answer = await call({ method: "GET", key, headers, sizeBytes: byteCount });
      // The object ends before that part.
      if (answer.status === 416) return Buffer.alloc(0);
      return isMissing(answer) ? null : requireGood(answer).body;
    },

    async remove(keys: readonly string[]): Promise<void> {
      for (let start = 0; start < keys.length; start += mostNamed) {
        const objects = keys.slice(start, start + mostNamed).map((key) => `<Object><Key>${key}</Key></Object>`);
        const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`);
        const headers = { "content-md5": hash("md5", body, "base64"), "content-type": "application/xml" };
        const answer = requireGood(await call({ method: "POST", key: "", query: { delete: "" }, headers, body }));
        const [, failed] = /<Error>.*?<Code>(.*?)<\/Code>/s.exec(answer.body.toString("utf8")) ?? [];
        if (failed !== undefined && failed !== "NoSuchKey") throw new Error(`The S3 store did not delete: ${failed}`);
      }
    },

    async *list(prefix: string): AsyncGenerator<S3Object[]> {
      for (let token: string | undefined; ; ) {
        const more = token === undefined ? {} : { "continuation-token": token };
        const query = { "list-type": "2", prefix, "max-keys": String(mostNamed), ...more };
        const text = requireGood(await call({ method: "GET", key: "", query })).body.toString("utf8");
        yield readListing(text);
        const [, next] = /<NextContinuationToken>([^<]+)</.exec(text) ?? [];
        if (next === undefined || next === token) return;
        token = plainText(next);
      }
    },

    close: () => net.close(),
  };
}

export function createS3Place(deps: { net: Pick<Net, "fetch" | "close"> }, options: S3Options): BlobPlace {
  const objects = createS3Objects(deps, options);
  const keyOf = (id: string) => `${folder}${fanOf(id)}/${encodeURIComponent(id)}`;
  return {
    name: "s3",
    put: (id, bytes) => objects.put(keyOf(id), bytes),
    get: (id, sizeBytes) => objects.get(keyOf(id), sizeBytes),
    getPart: (id, start, byteCount) => objects.getPart(keyOf(id), start, byteCount),
    remove: (ids) => objects.remove(ids.map(keyOf)),
    async *list() {
      for await (const listed of objects.list(folder)) yield listed.map(toPlaced);
    },
    close: objects.close,
  };
}

function toPlaced({ key, changedAt }: S3Object): PlacedObject {
  return { id: decodeURIComponent(key.split("/").at(-1) ?? ""), changedAt };
}

function isMissing({ status, body }: FetchSuccess): boolean {
  return status === 404 && !/<Code>NoSuchBucket</.test(body.toString("latin1"));
}

function requireGood(answer: FetchSuccess): FetchSuccess {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return answer;
  const [, code = ""] = /<Code>(.*?)<\/Code>/s.exec(body.toString("utf8", 0, 4096)) ?? [];
  throw new Error(`The S3 store answered ${status} ${code}`.trim());
}

function readListing(text: string): S3Object[] {
  return text.split("<Contents>").flatMap((part, index) => {
    const [, key = ""] = /<Key>([^<]+)</.exec(part) ?? [];
    const [, changed = ""] = /<LastModified>([^<]+)</.exec(part) ?? [];
    if (index === 0 || key === "") return [];
    return [{ key: plainText(key), changedAt: Date.parse(changed) || 0 }];
  });
}

/** The five entities of XML. */
function plainText(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? "");
}
