// Connections that end while their answer is held back, because whoever reads it is slower than the site.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNet, type Site, startRawSite } from "../../test/support/site-server.ts";
import type { Net } from "./index.ts";

/** 16 MB that are packed a hundredfold: unpacking takes longer than sending. */
const page = Buffer.alloc(16 * 1024 * 1024);
for (let at = 0; at < page.length; at += 32 * 1024) {
  for (let byte = 0; byte < 260; byte += 1) page[at + byte] = (at * 31 + byte * byte * 17) >> 3;
}
const packed = gzipSync(page);
const chunked = (body: Buffer) => [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")];
const head = (...lines: string[]) => Buffer.from(["HTTP/1.1 200 OK", ...lines, "\r\n"].join("\r\n"));

describe("a connection that ends while its answer is held back", () => {
  let net: Net;
  let site: Site;
  let answer: (socket: Socket) => void = () => undefined;
  beforeEach(async () => {
    site = await startRawSite((socket) => answer(socket));
    net = openNet({ allow: "127.0.0.1" });
  });
  afterEach(async () => {
    await net.close();
    await site.close();
  });
  const read = () => net.fetch({ url: site.url, signal: AbortSignal.timeout(60_000) });

  it.each<[string, Buffer[]]>([
    ["with its connection", [head("Content-Encoding: gzip"), packed]],
    [
      "after its length",
      [head("Content-Encoding: gzip", `Content-Length: ${packed.length}`, "Connection: close"), packed],
    ],
    [
      "with its last chunk",
      [head("Content-Encoding: gzip", "Transfer-Encoding: chunked", "Connection: close"), ...chunked(packed)],
    ],
  ])("leaves a packed page whole that ends %s", async (_how, pieces) => {
    answer = (socket) => socket.end(Buffer.concat(pieces));
    const outcome = await read();
    expect(outcome.ok && outcome.body.equals(page)).toBe(true);
  });

  it("by a reset is a failure of the site, whenever it comes", async () => {
    const body = Buffer.concat([head("Content-Encoding: gzip", "Connection: close"), packed.subarray(0, -1000)]);
    for (const delayMs of [0, 6, 12, 24, 48]) {
      answer = (socket) => socket.write(body, () => setTimeout(() => socket.resetAndDestroy(), delayMs));
      expect(await read()).toMatchObject({ ok: false, code: "SCRAPE_SITE_ERROR" });
    }
  });

  it.each<[string, (socket: Socket) => void]>([
    ["closes", (socket) => socket.end()],
    ["resets", (socket) => socket.resetAndDestroy()],
  ])("ends nothing but itself when the site %s and a browser does not read", async (_what, end) => {
    const folder = mkdtempSync(join(tmpdir(), "trawl-held-"));
    const socketPath = join(folder, "proxy.sock");
    const proxy = await net.openProxy({ socketPath });
    const closed: Promise<void>[] = [];
    let kilobytes = 150;
    answer = (socket) => {
      closed.push(new Promise((done) => socket.once("close", () => done())));
      kilobytes += 24;
      socket.write(Buffer.concat([head("Connection: close"), Buffer.alloc(kilobytes * 1024)]), () => end(socket));
    };
    // What fits between site and reader differs from machine to machine: one of these sizes ends where it is held back.
    const readers = Array.from({ length: 24 }, () => {
      const reader = connect(socketPath).pause();
      reader.on("error", () => undefined);
      reader.write(`GET ${site.url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
      return reader;
    });
    await expect.poll(() => closed.length).toBe(readers.length);
    for (const reader of readers) reader.resume();
    await Promise.all(closed);
    for (const reader of readers) reader.destroy();
    answer = (socket) => socket.end(Buffer.concat([head("Content-Length: 2"), Buffer.from("ok")]));
    expect(await read()).toMatchObject({ ok: true, body: Buffer.from("ok") });
    await proxy.close();
    rmSync(folder, { recursive: true });
  });
});
