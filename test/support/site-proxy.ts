// Forward proxies for tests: CONNECT over HTTP or TLS, and SOCKS5. They remember what they were asked for and dial it, or a
// site on loopback in its place: the only way to have a public address without a public network.
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from "node:net";

export interface ProxyServer {
  url: string;
  port: number;
  /** Each tunnel: its authority and its credentials. */
  asked: { authority: string; authorization: string | undefined }[];
  /** Connections so far, answered or not. */
  connections: number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Answers every CONNECT with this status. */
  refuses?: boolean | number;
  /** Accepts connections and says nothing. */
  isSilent?: boolean;
  /** Of the site that stands for every target. */
  port?: number;
  /** Where to listen; any free port unless given. */
  at?: number;
  host?: string;
  tls?: { key: string; cert: string };
}

export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const answer: RequestListener = (_request, response) => response.writeHead(500).end();
  const server = options.tls === undefined ? createServer(answer) : createSecureServer(options.tls, answer);
  server.on("connect", (request, client: Socket) => {
    client.on("error", () => undefined);
    if (options.isSilent === true) return;
    asked.push({ authority: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    if (options.refuses !== undefined && options.refuses !== false) {
      const status = options.refuses === true ? 407 : options.refuses;
      client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    carry(client, hostname.replace(/^\[|\]$/g, ""), Number(port) || 80, options, () =>
      client.write("HTTP/1.1 200 OK\r\n\r\n"),
    );
  });
  return listen(server, options.tls === undefined ? "http" : "https", asked, options);
}

/** With `login`, it lets in nobody else. */
export function startSocksProxy(
  options: ProxyOptions & { login?: { username: string; password: string } } = {},
): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const { login } = options;
  const server = createSocketServer((client) => {
    client.on("error", () => undefined);
    let authorization: string | undefined;
    const onMethods = (data: Buffer) => {
      if (options.isSilent === true) return;
      const offered = [...data.subarray(2, 2 + (data[1] as number))];
      const method = login === undefined ? 0 : 2;
      if (!offered.includes(method)) return void client.end(Buffer.from([5, 255]));
      client.write(Buffer.from([5, method]));
      client.once("data", login === undefined ? onRequest : onLogin);
    };
    const onLogin = (data: Buffer) => {
      const nameLength = data[1] as number;
      const name = data.subarray(2, 2 + nameLength).toString();
      const secret = data.subarray(3 + nameLength).toString();
      authorization = `${name}:${secret}`;
      const isKnown = name === login?.username && secret === login.password;
      if (!isKnown) return void client.end(Buffer.from([1, 1]));
      client.write(Buffer.from([1, 0]));
      client.once("data", onRequest);
    };
    const onRequest = (data: Buffer) => {
      const kind = data[3];
      const rest = data.subarray(4);
      const length = kind === 1 ? 4 : kind === 4 ? 16 : 1 + (rest[0] as number);
      const host = kind === 3 ? rest.subarray(1, length).toString() : addressText(rest.subarray(0, length));
      const port = rest.readUInt16BE(length);
      asked.push({ authority: `${host.includes(":") ? `[${host}]` : host}:${port}`, authorization });
      if (typeof options.refuses === "number") {
        client.end(Buffer.from([5, options.refuses, 0, 1, 0, 0, 0, 0, 0, 0]));
        return;
      }
      carry(client, host, port, options, () => client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])));
    };
    client.once("data", onMethods);
  });
  return listen(server, "socks5", asked, options);
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":");
}

function carry(client: Socket, hostname: string, port: number, options: ProxyOptions, ready: () => void): void {
  const [host, at] = options.port === undefined ? [hostname, port] : ["127.0.0.1", options.port];
  const target = connect(at, host, ready);
  client.pipe(target).pipe(client);
  client.on("close", () => target.destroy());
  target.on("error", () => client.destroy());
  target.on("close", () => client.destroy());
}

async function listen(
  server: Server,
  scheme: string,
  asked: ProxyServer["asked"],
  { at = 0, host = "127.0.0.1" }: ProxyOptions,
): Promise<ProxyServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    proxy.connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(at, host, ready);
  });
  const { port } = server.address() as AddressInfo;
  const proxy: ProxyServer = {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    asked,
    connections: 0,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
  return proxy;
}
