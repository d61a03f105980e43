// A CONNECT proxy for tests. It remembers what it was asked for and dials it, or a site on loopback in its place: the
// only way to have a public address without a public network.
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ProxyServer {
  url: string;
  /** Each CONNECT: its authority and its credentials. */
  asked: { authority: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

export async function startProxy(options: { refuses?: boolean; port?: number } = {}): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(500).end());
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (request, client: Socket) => {
    asked.push({ authority: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    if (options.refuses === true) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const [host, at] = options.port === undefined ? [hostname, Number(port)] : ["127.0.0.1", options.port];
    const target = connect(at, host, () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    client.pipe(target).pipe(client);
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}
