// Whatever a page does, nothing reaches a private address: asserted at the canary's socket, never at what the page saw.
// The same pages reach the canary when it is allowed, so each of these tests can fail.
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser, withoutNamespaces } from "../support/browser.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { startSite as startServer } from "../support/site-server.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Each is a program in a page: `at` is the canary's address with the way's name as its path, `host` that address without a
 * scheme, `done` tells the site that the program came to its end, `settle` waits before that where the page gets no event.
 */
const ways: { way: string; program: string; isReached: boolean }[] = [
  { way: "fetch", program: "fetch(at).catch(() => 0).finally(done)", isReached: true },
  {
    way: "number",
    program: "fetch(at.replace('127.0.0.1', '2130706433')).catch(() => 0).finally(done)",
    isReached: true,
  },
  {
    way: "localhost",
    program: "fetch(at.replace('127.0.0.1', 'localhost')).catch(() => 0).finally(done)",
    isReached: false,
  },
  {
    way: "redirect",
    program: "fetch('/to/redirect', { mode: 'no-cors' }).catch(() => 0).finally(done)",
    isReached: true,
  },
  { way: "tls", program: "fetch(at.replace('http', 'https')).catch(() => 0).finally(done)", isReached: true },
  {
    way: "request",
    program: "const x = new XMLHttpRequest(); x.open('POST', at); x.onloadend = done; x.send('x')",
    isReached: true,
  },
  { way: "socket", program: "const s = new WebSocket('ws://' + host); s.onerror = s.onopen = done", isReached: true },
  {
    way: "events",
    program: "const s = new EventSource(at); s.onerror = () => { s.close(); done() }",
    isReached: true,
  },
  { way: "worker", program: "const w = new Worker('/worker.js?' + at); w.onmessage = done", isReached: true },
  {
    way: "shared-worker",
    program: "const w = new SharedWorker('/worker.js?' + at); w.port.onmessage = done",
    isReached: true,
  },
  {
    way: "service-worker",
    program: "navigator.serviceWorker.register('/service.js?' + at).catch(() => 0); settle(done)",
    isReached: false,
  },
  { way: "iframe", program: "add('iframe', { src: at }, done)", isReached: true },
  { way: "image", program: "add('img', { src: at }, done)", isReached: true },
  { way: "script", program: "add('script', { src: at }, done)", isReached: true },
  { way: "style", program: "add('link', { rel: 'stylesheet', href: at }, done)", isReached: true },
  { way: "object", program: "add('object', { data: at }); settle(done)", isReached: true },
  { way: "video", program: "add('video', { src: at, autoplay: true, muted: true }, done)", isReached: true },
  { way: "prefetch", program: "add('link', { rel: 'prefetch', href: at }); settle(done)", isReached: true },
  {
    way: "preconnect",
    program:
      "add('link', { rel: 'preconnect', href: at }); add('link', { rel: 'dns-prefetch', href: at }); settle(done)",
    isReached: false,
  },
  { way: "beacon", program: "navigator.sendBeacon(at, 'x'); settle(done)", isReached: true },
  {
    way: "ping",
    program: "add('a', { href: '#here', ping: at }).click(); settle(done)",
    isReached: false,
  },
  {
    way: "form",
    program:
      "add('iframe', { name: 'sink' }); add('form', { action: at, method: 'post', target: 'sink' }).submit(); settle(done)",
    isReached: true,
  },
  { way: "window", program: "window.open(at); settle(done)", isReached: false },
  {
    way: "speculation",
    program:
      "const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prerender: [{ urls: [at] }], prefetch: [{ urls: [at] }] }); document.body.append(s); settle(done)",
    isReached: false,
  },
];

const harness = (programs: { way: string; program: string }[], canary: string) => `<!doctype html><title>Hostile</title>
<body><script>
  const canary = ${JSON.stringify(canary)};
  let left = ${programs.length};
  function tell(way) {
    fetch('/ran/' + way).finally(() => { left -= 1; if (left === 0) add('p', { id: 'all' }).textContent = 'All ran' });
  }
  function add(name, attributes, done) {
    const element = document.createElement(name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (done) element.onload = element.onerror = done;
    document.body.append(element);
    return element;
  }
  const settleFor = (way) => (done) => fetch('/settled/' + way).finally(done);
  function once(way) { let told = false; return () => { if (!told) { told = true; tell(way) } } }
  ${programs
    .map(
      ({ way, program }) =>
        `{ const done = once('${way}'), settle = settleFor('${way}'), host = canary + '/${way}', at = 'http://' + host; ${program} }`,
    )
    .join("\n  ")}
</script>`;

/** A server of the inner network: every connection counts, and what came over it says which way it took. */
interface Canary {
  address: string;
  connections: number;
  reached: Set<string>;
  close(): Promise<void>;
}

async function startCanary(): Promise<Canary> {
  const server = createServer((request, response) => {
    canary.reached.add((request.url ?? "").slice(1));
    response
      .writeHead(200, { "access-control-allow-origin": "*", connection: "close", "content-type": "text/html" })
      .end("secret of the inner network");
  });
  server.on("upgrade", (request, socket) => {
    canary.reached.add((request.url ?? "").slice(1));
    socket.destroy();
  });
  // Bytes that are no HTTP: the greeting of TLS.
  server.on("clientError", (_error, socket) => {
    canary.reached.add("tls");
    socket.destroy();
  });
  server.on("connection", () => {
    canary.connections += 1;
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const canary: Canary = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 0,
    reached: new Set(),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return canary;
}

interface UdpCanary {
  port: number;
  packets: number;
  close(): Promise<void>;
}

async function startUdpCanary(): Promise<UdpCanary> {
  const socket: UdpSocket = createSocket("udp4");
  const canary: UdpCanary = { port: 0, packets: 0, close: () => new Promise((done) => socket.close(() => done())) };
  socket.on("message", () => {
    canary.packets += 1;
  });
  await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
  canary.port = socket.address().port;
  return canary;
}

describe.skipIf(lacksChromium).each([
  { how: "in a network namespace", isIsolated: true },
  { how: "by proxy flags alone", isIsolated: false },
])("a page $how", ({ isIsolated }) => {
  let site: FixtureSite;
  let canary: Canary;
  let udp: UdpCanary;
  let browser: TestBrowser;
  let open: TestBrowser;
  let tools: ReturnType<typeof withoutNamespaces>;
  let html = "";
  let ran: string[] = [];
  let connections = 0;
  let openlyReached: Set<string>;
  /** The page is shown where the canary may be reached. */
  let isOpen = false;

  beforeAll(async () => {
    canary = await startCanary();
    udp = await startUdpCanary();
    const send = (text: () => string, type: string): Handler => {
      return (_request, response) => void response.writeHead(200, { "content-type": type }).end(text());
    };
    const settled = Object.fromEntries(
      ways.map(({ way, isReached }): [string, Handler] => [
        `/settled/${way}`,
        async (_request, response) => {
          // Long enough to arrive; where it may and must arrive, as long as that takes.
          await wait(800);
          while (isReached && isOpen && !response.destroyed && !canary.reached.has(way)) await wait(50);
          response.end();
        },
      ]),
    );
    site = await startSite({
      ...settled,
      "/page": send(() => html, "text/html"),
      "/to/redirect": (_request, response) =>
        void response.writeHead(302, { location: `http://${canary.address}/redirect` }).end(),
      "/worker.js": (request, response) => {
        const target = JSON.stringify(request.url?.split("?")[1]);
        response.writeHead(200, { "content-type": "text/javascript" }).end(
          `const go = (port) => fetch(${target}).catch(() => 0).finally(() => port.postMessage(1));
             if (self.SharedWorkerGlobalScope) onconnect = (e) => go(e.ports[0]); else go(self);`,
        );
      },
      "/service.js": send(() => `fetch('http://${canary.address}/service-worker')`, "text/javascript"),
    });
    tools = withoutNamespaces();
    const path = isIsolated ? {} : { searchPath: tools.searchPath };
    browser = openTestBrowser({ allow: `127.0.0.1:${site.port}`, ...path });
    open = openTestBrowser({ allow: `127.0.0.1:${site.port},${canary.address}`, ...path });

    html = harness(ways, canary.address);
    const options = { timeout: 50_000, blockAds: false, actions: [{ type: "wait", selector: "#all" }] };
    await browser.read(`${site.url}/page`, options);
    ran = site.asked.filter((each) => each.startsWith("/ran/")).map((each) => each.slice(5));
    connections = canary.connections;
    canary.reached.clear();
    isOpen = true;
    await open.read(`${site.url}/page`, options);
    openlyReached = new Set(canary.reached);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), open.close()]);
    await Promise.all([site.close(), canary.close(), udp.close()]);
    await tools.remove();
  });

  it(`makes no connection to a private address by any of ${ways.length} ways`, () => {
    expect(ran.toSorted()).toEqual(ways.map(({ way }) => way).toSorted());
    expect(connections).toBe(0);
  });

  it.each(ways.filter(({ isReached }) => isReached))("would reach it by $way if it were allowed", ({ way }) => {
    expect(openlyReached).toContain(way);
  });

  it("never asks for a service worker's program", () => {
    expect(site.asked.filter((path) => path.startsWith("/service.js"))).toEqual([]);
  });

  it.each([
    ["a redirect", "/to/redirect", ""],
    ["a script that goes there", "/page", "location.href = at"],
    [
      "a page that refreshes itself",
      "/page",
      "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + at; document.head.append(m)",
    ],
  ])("is refused itself when it leads to a private address by %s", async (_what, path, program) => {
    html = harness([{ way: "top", program }], canary.address);
    const before = canary.connections;
    const failure = await browser.fail(`${site.url}${path}`);
    expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", message: "This URL is not allowed" });
    expect(canary.connections).toBe(before);
    const page = await open.read(`${site.url}${path}`);
    expect(page.body.toString()).toContain("secret of the inner network");
  });

  it("sends no packet by WebRTC", async () => {
    const probe = createSocket("udp4");
    const packets = udp.packets + 1;
    probe.send("counted", udp.port, "127.0.0.1");
    await expect.poll(() => udp.packets).toBe(packets);
    probe.close();
    const program = `const peer = new RTCPeerConnection({ iceServers: [
        { urls: 'stun:127.0.0.1:${udp.port}' },
        { urls: 'turn:127.0.0.1:${udp.port}?transport=udp', username: 'a', credential: 'b' },
        { urls: 'turn:' + canary + '?transport=tcp', username: 'a', credential: 'b' } ] });
      peer.createDataChannel('x');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => setTimeout(done, 2000))`;
    html = harness([{ way: "webrtc", program }], canary.address);
    const before = canary.connections;
    site.asked.length = 0;
    await browser.read(`${site.url}/page`, { actions: [{ type: "wait", selector: "#all" }] });
    expect(site.asked).toContain("/ran/webrtc");
    expect(udp.packets).toBe(packets);
    expect(canary.connections).toBe(before);
  });

  it("is isolated as it says", () => {
    expect(browser.status()).toMatchObject({ isolated: isIsolated, sandbox: true });
    const warned = browser.logLines.some((line) => line.includes("cannot be isolated here"));
    expect(warned).toBe(!isIsolated);
  });
});

describe.skipIf(lacksChromium)("a name that is bound anew", () => {
  it("is judged at every connection: the second address is never dialled", async () => {
    const program = `
      const ask = () => fetch('/again', { cache: 'no-store' }).then((r) => r.text(), () => 'refused');
      ask().then((text) => { document.body.append('second: ' + text) })`;
    const site = await startServer((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html", connection: "close" })
        .end(`<body><script>${program}</script>`);
    });
    const canary = await startServer((_request, response) => response.end("inner secret"), {
      host: "127.0.0.2",
      port: site.port,
    });
    // The page itself, perhaps its icon, then the inner network.
    const dns = await startDnsServer((_name, before) => (before === 0 ? ["127.0.0.1"] : ["127.0.0.2"]));
    const browser = openTestBrowser({ allow: `127.0.0.1:${site.port}`, netOptions: { dnsServer: dns } });
    const open = openTestBrowser({
      allow: `127.0.0.1:${site.port},127.0.0.2:${site.port}`,
      netOptions: { dnsServer: dns },
    });
    try {
      const page = await browser.read(`http://rebound.test:${site.port}/`);
      expect(page.body.toString()).toContain("second: refused");
      expect(dns.queries.filter((name) => name === "rebound.test").length).toBeGreaterThanOrEqual(2);
      expect(canary.connections).toBe(0);
      const reached = await open.read(`http://rebound-openly.test:${site.port}/`);
      expect(reached.body.toString()).toContain("second: inner secret");
    } finally {
      await Promise.all([browser.close(), open.close()]);
      await Promise.all([site.close(), canary.close(), dns.close()]);
    }
  });
});
