import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { type Logger, systemClock } from "../base/index.ts";
import type { RenderOutcome, RenderRequest } from "../engines/index.ts";
import { requestUpgrade } from "../net/node-upgrade.ts";
import type { NodeRow } from "../store/index.ts";
import { createNodeCalls } from "./calls.ts";
import { createNodeEndpoint } from "./node-endpoint.ts";
import { createNodeKey } from "./node-key.ts";
import { createRenderHandler, renderOver } from "./remote-render.ts";

const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;
const clock = systemClock;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that renders for others, and a way to call it with a secret. */
async function openServers(render: (request: RenderRequest) => Promise<RenderOutcome>) {
  const unused = async () => null;
  const endpoint = createNodeEndpoint({ clock, log }, createNodeKey("secret"), {
    "/internal/render": createRenderHandler(render),
    "/internal/call": unused,
    "/internal/tunnel": unused,
  });
  const sockets = new Set<Duplex>();
  const server = createServer().on("upgrade", (request, socket, head) => {
    sockets.add(socket);
    endpoint.accept(request, socket, head).catch(() => socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  closing.push(hangUp, () => server.close());
  const upgradeNode = (...call: [URL, Record<string, string>, number]) =>
    requestUpgrade(connect(port, "127.0.0.1"), ...call);
  const call = (secret: string) =>
    createNodeCalls({ net: { upgradeNode }, clock, log }, createNodeKey(secret))(
      { url: `http://127.0.0.1:${port}` } as NodeRow,
      "/internal/render",
    );
  return { call, hangUp };
}

const request = (given: Partial<RenderRequest> = {}) =>
  ({ url: "https://site.test/", signal: new AbortController().signal, ...given }) as RenderRequest;
const rendered = { ok: true, html: "<p>Page</p>" } as unknown as RenderOutcome;

it("another server renders, asking whether it may follow, and has as much time left", async () => {
  let left = 0;
  const { call } = await openServers(async ({ url, mayFollow, endsAt = 0 }) => {
    left = endsAt - performance.now();
    const may = [await mayFollow?.(`${url}a`), await mayFollow?.(`${url}b`)];
    return { ...rendered, may } as unknown as RenderOutcome;
  });
  const channel = await call("secret");
  if (!channel) throw new Error("no channel");
  const mayFollow = async (url: string) => url.endsWith("a");
  const endsAt = performance.now() + 60_000;
  expect(await renderOver(channel, request({ mayFollow, endsAt }))).toEqual({ ...rendered, may: [true, false] });
  expect(left).toBeGreaterThan(30_000);
  expect(left).toBeLessThanOrEqual(60_000);
});

it("a server that hangs up while it renders has no outcome, and one that is aborted ends its rendering", async () => {
  let ended = 0;
  const { call, hangUp } = await openServers(async ({ signal }) => {
    await once(signal, "abort");
    ended += 1;
    return rendered;
  });
  const lost = await call("secret");
  const aborted = await call("secret");
  if (!lost || !aborted) throw new Error("no channel");
  const abort = new AbortController();
  const outcomes = [renderOver(lost, request()), renderOver(aborted, request({ signal: abort.signal }))];
  abort.abort();
  expect(await outcomes[1]).toBeNull();
  await expect.poll(() => ended).toBe(1);
  hangUp();
  expect(await outcomes[0]).toBeNull();
});

it("a server with another secret is not called", async () => {
  const { call } = await openServers(async () => rendered);
  expect(await call("another secret")).toBeNull();
});
