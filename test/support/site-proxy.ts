// Forward proxies for tests: CONNECT and plain requests over HTTP or TLS, and SOCKS5. They remember what they were asked for and dial it, or a
// site on loopback in its place: the only way to have a public address without a public network.
import { createServer, type RequestListener, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from "node:net";

export interface ProxyServer {
  url: string;
  port: number;
  /** Each tunnel and plain request: its authority and its credentials. */
  asked: { authority: string; authorization: string | undefined; isPlain?: true }[];
  /** Connections so far, answered or not. */
  connections: number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Answers every CONNECT with this status. */
  refuses?: boolean | number;
  /** Accepts connections and says nothing. */
  isSilent?: boolean;
  /** Opens the tunnel and then says what is neither TLS nor HTTP. */
  isLying?: boolean;
  /** Lets in nobody with other credentials. */
  basic?: string;
  /** Of the site that stands for every target. */
  port?: number;
  /** Of the sites that stand for these authorities. */
  ports?: Readonly<Record<string, number>>;
  /** Where to listen; any free port unless given. */
  at?: number;
  host?: string;
  tls?: { key: string; cert: string };
}

export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const statusFor = (authorization: string | undefined) => {
    if (options.refuses !== undefined && options.refuses !== false)
      return options.refuses === true ? 407 : options.refuses;
    return options.basic === undefined || authorization === packed(options.basic) ? null : 407;
  };
  const answer: RequestListener = (incoming, response) => {
    const { "proxy-authorization": authorization, ...headers } = incoming.headers;
    if (options.isSilent === true) return;
    if (!URL.canParse(incoming.url ?? "")) return void response.writeHead(500).end();
    const { host, hostname, port, pathname, search } = new URL(incoming.url ?? "");
    asked.push({ authority: host, authorization, isPlain: true });
    const status = statusFor(authorization);
    if (status !== null) return void response.writeHead(status).end();
    if (options.isLying === true) return void response.socket?.end("no such protocol\r\n\r\n");
    const to = placeOf(hostname, Number(port) || 80, options);
    const onward = request({ ...to, path: pathname + search, method: incoming.method, headers }, (found) => {
      response.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  };
  const server = options.tls === undefined ? createServer(answer) : createSecureServer(options.tls, answer);
  server.on("connect", (request, client: Socket) => {
    client.on("error", () => undefined);
    if (options.isSilent === true) return;
    asked.push({ authority: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    const status = statusFor(request.headers["proxy-authorization"]);
    if (status !== null) {
      client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    if (options.isLying === true) return void client.end("HTTP/1.1 200 OK\r\n\r\nno such protocol\r\n\r\n");
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
  const target = connect(placeOf(hostname, port, options), ready);
  client.pipe(target).pipe(client);
  client.on("close", () => target.destroy());
  target.on("error", () => client.destroy());
  target.on("close", () => client.destroy());
}

function placeOf(host: string, port: number, options: ProxyOptions): { host: string; port: number } {
  const standIn = options.ports?.[`${host}:${port}`] ?? options.port;
  return standIn === undefined ? { host, port } : { host: "127.0.0.1", port: standIn };
}

function packed(login: string): string {
  return `Basic ${Buffer.from(login).toString("base64")}`;
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
