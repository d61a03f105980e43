// What lies in our memory between a client and its browser, whichever of the two is slow: both are played here byte by byte.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect as connectSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type DevtoolsGateway, openDevtoolsGateway } from "./devtools-gateway.ts";
import { acceptKey, opcodes, writeFrame } from "./websocket-frames.ts";

const megabyte = 1024 * 1024;
/** What sockets and streams hold on the way: the system's buffers, and a piece here and there. */
const onTheWay = 2 * megabyte;

describe("between a client and its browser", () => {
  let folder: string;
  let server: Server;
  let ends: Duplex[];
  let gateway: DevtoolsGateway;
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "trawl-pair-"));
    ends = [];
    server = createServer((_request, response) => {
      response.end(JSON.stringify({ webSocketDebuggerUrl: "ws://localhost/devtools/browser/main" }));
    });
    server.on("upgrade", (request, socket: Duplex) => {
      socket.on("error", () => undefined);
      const key = acceptKey(String(request.headers["sec-websocket-key"]));
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
      );
      ends.push(socket);
    });
    server.listen(at("browser.sock"));
    await once(server, "listening");
    const signal = new AbortController().signal;
    const sockets = { socketPath: at("cdp.sock"), browserSocket: at("browser.sock") };
    gateway = await openDevtoolsGateway({ ...sockets, onTraffic: () => undefined, signal });
  });
  afterEach(async () => {
    await gateway.close();
    for (const end of ends) end.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function joinBoth(): Promise<{ client: WebSocket; browser: Duplex }> {
    const client = new WebSocket(`ws+unix:${at("cdp.sock")}:/`);
    await once(client, "open");
    return { client, browser: ends.at(-1) as Duplex };
  }

  /** A client that speaks no WebSocket but what the test writes. */
  async function joinRaw(): Promise<Socket> {
    const socket = connectSocket(at("cdp.sock"));
    socket.write(
      "GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    expect(String((await once(socket, "data"))[0])).toContain("101");
    return socket;
  }

  /** Writes until no more is taken for a while; returns how much was taken. */
  async function pour(into: Duplex, total: number): Promise<number> {
    let given = 0;
    const piece = Buffer.alloc(64 * 1024, "x");
    while (given < total) {
      const isFull = !into.write(piece.subarray(0, Math.min(piece.length, total - given)));
      given += Math.min(piece.length, total - given);
      if (isFull && (await stays(() => into.writableLength))) return given - into.writableLength;
    }
    return given;
  }
  /** Whether a number is above zero and does not change any more. */
  async function stays(read: () => number): Promise<boolean> {
    for (let looks = 0, before = read(); looks < 20; looks += 1) {
      await new Promise((done) => setTimeout(done, 10));
      const now = read();
      if (now === 0) return false;
      if (now !== before) looks = 0;
      before = now;
    }
    return true;
  }

  it("one answer of 90 MB is never held: a client that does not read stops the browser within it", async () => {
    const { client, browser } = await joinBoth();
    client.pause();
    const size = 90 * megabyte;
    const head = Buffer.from([0x80 | opcodes.text, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(size), 2);
    browser.write(head);
    expect(await pour(browser, size)).toBeLessThan(onTheWay);
    client.terminate();
  });

  it("what passes arrives whole, whatever its size, with our own answers between its messages", async () => {
    const { client, browser } = await joinBoth();
    const heard: string[] = [];
    client.on("message", (data) => heard.push(String(data)));
    const [head, payload] = writeFrame(opcodes.text, Buffer.from("a".repeat(5 * megabyte))) as [Buffer, Buffer];
    browser.write(head);
    browser.write(payload.subarray(0, 1000));
    // In the middle of an answer: a refusal and a pong must wait for its end.
    client.send('{"id":1,"method":"Page.navigate","params":{"url":"file:///etc/passwd"}}');
    const pong = once(client, "pong");
    client.ping("there?");
    browser.write(payload.subarray(1000));
    for (const part of writeFrame(opcodes.text, Buffer.from("second"))) browser.write(part);
    expect(String((await pong)[0])).toBe("there?");
    await expect.poll(() => heard.length).toBe(3);
    expect(heard[0]).toHaveLength(5 * megabyte);
    expect(heard.slice(1).sort()).toEqual(["second", expect.stringContaining("Only http and https URLs")]);
  });

  it("large commands of many clients are taken one after the other", async () => {
    const size = 7 * megabyte;
    const taken: Promise<number>[] = [];
    const clients = await Promise.all(Array.from({ length: 10 }, () => joinRaw()));
    for (const socket of clients) {
      const head = Buffer.alloc(14);
      head[0] = 0x80 | opcodes.text;
      head[1] = 0x80 | 127;
      head.writeBigUInt64BE(BigInt(size), 2);
      socket.write(head);
      // All but the last byte: none of these commands ever ends.
      taken.push(pour(socket, size - 1));
    }
    const sums = await Promise.all(taken);
    expect(sums.filter((bytes) => bytes === size - 1)).toHaveLength(1);
    expect(sums.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(size + 10 * onTheWay);
    // Small ones of others pass meanwhile, and the next large one has its turn when the first is gone.
    const { client, browser } = await joinBoth();
    let heard = 0;
    browser.on("data", (piece: Buffer) => {
      heard += piece.length;
    });
    client.send('{"id":1,"method":"Browser.getVersion"}');
    await expect.poll(() => heard).toBeGreaterThan(30);
    for (const socket of clients) socket.destroy();
    const expression = "x".repeat(2 * megabyte);
    client.send(JSON.stringify({ id: 2, method: "Runtime.evaluate", params: { expression } }));
    await expect.poll(() => heard).toBeGreaterThan(2 * megabyte);
  });

  it("a browser that does not read stops its client", async () => {
    const { client, browser } = await joinBoth();
    browser.pause();
    const expression = "x".repeat(megabyte);
    for (let id = 1; id <= 64; id += 1) {
      client.send(JSON.stringify({ id, method: "Runtime.evaluate", params: { expression } }));
    }
    expect(await stays(() => client.bufferedAmount)).toBe(true);
    expect(client.bufferedAmount).toBeGreaterThan(58 * megabyte);
    browser.resume();
    await expect.poll(() => client.bufferedAmount).toBe(0);
  });

  it("a command in fragments is one command", async () => {
    const { client, browser } = await joinBoth();
    const heard = once(browser, "data");
    client.send('{"id":1,"method":', { fin: false });
    client.send('"Browser.get', { fin: false });
    client.send('Version"}', { fin: true });
    expect(String((await heard)[0])).toContain('{"id":1,"method":"Browser.getVersion"}');
  });

  it("a command nested without end is refused, and the server lives on", async () => {
    const { client } = await joinBoth();
    const deep = "[".repeat(megabyte) + "]".repeat(megabyte);
    client.send(`{"id":3,"method":"Runtime.evaluate","params":{"expression":${deep}}}`);
    const [answer] = await once(client, "message");
    expect(JSON.parse(String(answer))).toMatchObject({ id: 3, error: { message: expect.stringContaining("nested") } });
  });

  it("a refusal does not give back what was sent as an id", async () => {
    const { client } = await joinBoth();
    client.send(JSON.stringify({ id: "x".repeat(megabyte), sessionId: "y".repeat(megabyte), method: "PWA.install" }));
    const [answer] = await once(client, "message");
    expect(String(answer).length).toBeLessThan(200);
  });

  it.each([
    ["a command that is too long", 1009, [0x81, 0xff, 0, 0, 0, 0, 0, 0x80, 0, 1]],
    ["a frame without a mask", 1002, [0x81, 0x01, 0x7b]],
    ["a compressed frame, which nobody agreed on", 1002, [0xc1, 0x80, 0, 0, 0, 0]],
    ["a ping that is too long", 1002, [0x89, 0xfe, 0x01, 0x00]],
  ])("%s ends the connection", async (_what, code, bytes) => {
    const socket = await joinRaw();
    socket.write(Buffer.from([...bytes, 0, 0, 0, 0]));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x80 | opcodes.close, code]);
    await once(socket, "close");
  });
});
