// The gateway against a browser that a test plays: what passes, what waits, what is cut.
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type DevtoolsGateway, openDevtoolsGateway } from "./devtools-gateway.ts";

describe("the gateway to a browser", () => {
  let folder: string;
  let server: Server;
  let browsers: WebSocket[];
  /** What the browser was told. */
  let heard: string[];
  let traffic: number;
  let gateway: DevtoolsGateway;
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "trawl-gateway-"));
    [browsers, heard, traffic] = [[], [], 0];
    server = createServer((request, response) => {
      if (request.url !== "/json/version") return void response.writeHead(500).end();
      response.end(JSON.stringify({ webSocketDebuggerUrl: "ws://localhost/devtools/browser/main" }));
    });
    const sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket, request) => {
      browsers.push(socket);
      heard.push(request.url ?? "");
      socket.on("message", (data) => heard.push(String(data)));
    });
    server.listen(at("browser.sock"));
    await once(server, "listening");
    gateway = await openDevtoolsGateway({
      socketPath: at("cdp.sock"),
      browserSocket: at("browser.sock"),
      onTraffic: () => {
        traffic += 1;
      },
      signal: new AbortController().signal,
    });
  });
  afterEach(async () => {
    await gateway.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function connect(path = "/"): Promise<WebSocket> {
    const client = new WebSocket(`ws+unix:${at("cdp.sock")}:${path}`);
    await once(client, "open");
    await expect.poll(() => browsers.length).toBeGreaterThan(0);
    return client;
  }

  it("is for its owner only", () => {
    expect((statSync(at("cdp.sock")).mode & 0o777).toString(8)).toBe("600");
  });

  it("carries commands and answers both ways, and counts them", async () => {
    const client = await connect();
    client.send('{"id":1,"method":"Browser.getVersion","method":"Browser.getVersion"}');
    await expect.poll(() => heard).toEqual(["/devtools/browser/main", '{"id":1,"method":"Browser.getVersion"}']);
    browsers[0]?.send('{"id":1,"result":{}}');
    expect(String((await once(client, "message"))[0])).toBe('{"id":1,"result":{}}');
    expect(traffic).toBe(2);
  });

  it("answers refused commands itself", async () => {
    const client = await connect("/devtools/page/one");
    client.send('{"id":7,"sessionId":"s","method":"Page.navigate","params":{"url":"file:///etc/passwd"}}');
    expect(JSON.parse(String((await once(client, "message"))[0]))).toEqual({
      id: 7,
      sessionId: "s",
      error: { code: -32000, message: "Only http and https URLs can be opened in a browser session." },
    });
    client.send("no json");
    expect(JSON.parse(String((await once(client, "message"))[0])).error.message).toContain("JSON");
    expect(heard).toEqual(["/devtools/page/one"]);
  });

  it("knows no other paths", async () => {
    for (const path of ["/json/new?file:///", "/devtools/other/x", "/devtools/page/../../x"]) {
      const [error] = await once(new WebSocket(`ws+unix:${at("cdp.sock")}:${path}`), "error");
      expect(String(error)).toContain("404");
    }
  });

  it("takes sixteen clients and no more", async () => {
    const clients = await Promise.all(Array.from({ length: 16 }, () => connect()));
    const [error] = await once(new WebSocket(`ws+unix:${at("cdp.sock")}:/`), "error");
    expect(String(error)).toContain("429");
    clients[0]?.close();
    await expect
      .poll(() =>
        connect().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("stops reading from a browser whose client does not read", async () => {
    const client = await connect();
    client.pause();
    const message = JSON.stringify({ method: "Page.screencastFrame", params: { data: "x".repeat(1024 * 1024) } });
    for (let sent = 0; sent < 64; sent += 1) browsers[0]?.send(message);
    // What the gateway and the sockets between hold is bounded, so most of it stays with the browser.
    await setTimeout(500);
    expect(browsers[0]?.bufferedAmount).toBeGreaterThan(40 * 1024 * 1024);
    client.resume();
    await expect.poll(() => browsers[0]?.bufferedAmount).toBe(0);
  });

  it("says goodbye to everybody when it closes, and to a client whose browser went", async () => {
    const [one, two] = [await connect(), await connect()];
    const [oneClosed, twoClosed] = [once(one, "close"), once(two, "close")];
    browsers[0]?.terminate();
    expect((await oneClosed)[0]).toBe(1001);
    await gateway.close();
    expect((await twoClosed)[0]).toBe(1001);
  });
});
