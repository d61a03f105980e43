// A site that speaks TLS with browsers only: it goes by how a client says hello, as some firewalls do.
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface PickySite {
  port: number;
  /** Clients that were sent away. */
  refused: number;
}

/** TLS alert: handshake failure. */
const refusal = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

export async function startPickySite(tls: { key: string; cert: string }, page: string): Promise<PickySite> {
  const sockets = new Set<Socket>();
  const secure = createSecureServer(tls, (_request, response) =>
    response.setHeader("content-type", "text/html").end(page),
  );
  await new Promise<void>((ready) => secure.listen(0, "127.0.0.1", ready));
  const inside = (secure.address() as AddressInfo).port;
  const door = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    client.once("data", (hello) => {
      if (!isBrowsers(hello)) {
        site.refused += 1;
        client.end(refusal);
        return;
      }
      const target = connect(inside, "127.0.0.1", () => {
        target.write(hello);
        client.pipe(target).pipe(client);
      });
      sockets.add(target);
      target.on("error", () => client.destroy());
      client.on("close", () => target.destroy());
    });
  });
  await new Promise<void>((ready) => door.listen(0, "127.0.0.1", ready));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([door, secure].map((each) => new Promise((done) => each.close(done))));
  });
  const site: PickySite = { port: (door.address() as AddressInfo).port, refused: 0 };
  return site;
}

/** Chromium's list of ciphers begins with a reserved value (RFC 8701: 0x?A?A), which no other client of ours sends. */
function isBrowsers(hello: Buffer): boolean {
  const sessionAt = 5 + 4 + 2 + 32;
  const ciphersAt = sessionAt + 1 + (hello[sessionAt] ?? 0) + 2;
  return ciphersAt + 1 < hello.length && (hello.readUInt16BE(ciphersAt) & 0x0f0f) === 0x0a0a;
}
