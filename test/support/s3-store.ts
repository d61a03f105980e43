// A real S3-compatible server behind a front that checks signatures and can fail like a network.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSigned } from "./aws-signature.ts";
import { removeFolder } from "./cleanup.ts";

export interface S3Store {
  endpoint: string;
  /** What a server needs to know of it. */
  env: Record<string, string>;
  /** "pass": on to the real server; "refuse": 503; "hang": no answer at all. */
  mode: "pass" | "refuse" | "hang";
  /** How many came so far. */
  requests: number;
  /** Files with the bytes of its objects, one each. */
  objects(): string[];
  clear(): void;
  close(): Promise<void>;
}

const bucket = "pages";
const secrets = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
/** It stands among the packages of test/clients, so the compiler does not know it from here. */
const name = "s3rver";
const program = new URL(`../clients/node_modules/${name}/lib/s3rver.js`, import.meta.url);

export async function startS3Store(): Promise<S3Store> {
  const folder = mkdtempSync(join(tmpdir(), "t-s3-"));
  const { default: S3rver } = await import(program.href);
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = (await server.run()) as AddressInfo;
  const front = createServer(async (request, response) => {
    store.requests += 1;
    if (store.mode === "hang") return;
    if (store.mode === "refuse") return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (!isSigned({ method, target: url, headers, body }, secrets.secretAccessKey, "us-east-1"))
      return void response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    const onward = ask({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const objects = () =>
    readdirSync(join(folder, bucket), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith("._S3rver_object"))
      .map((entry) => join(entry.parentPath, entry.name));
  const store: S3Store = {
    endpoint,
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: secrets.accessKeyId,
      S3_SECRET_ACCESS_KEY: secrets.secretAccessKey,
    },
    mode: "pass",
    requests: 0,
    objects,
    clear() {
      for (const file of objects()) rmSync(file);
    },
    async close() {
      front.closeAllConnections();
      front.close();
      await server.close();
      await removeFolder(folder);
    },
  };
  return store;
}
