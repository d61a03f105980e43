// Connections through the proxy of PROXY_SERVER. Its CONNECT names the checked IP address, never the name: the proxy must
// not look it up again. The proxy itself was configured by the operator and is not checked.
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIPv6, type Socket } from "node:net";
import { bareHost, portOf } from "./guard.ts";
import { NetError } from "./outcome.ts";

export interface ProxySettings {
  /** http://host:port or https://host:port */
  url: string;
  username?: string;
  password?: string;
}

export type Tunnel = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;

export function createTunnel({ url, username, password }: ProxySettings): Tunnel {
  const proxy = new URL(url);
  const user = username ?? decodeURIComponent(proxy.username);
  const secret = password ?? decodeURIComponent(proxy.password);
  const headers =
    user === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` };

  function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const request = proxy.protocol === "https:" ? secureRequest : plainRequest;
    return new Promise((resolve, reject) => {
      const connecting = request({
        host: bareHost(proxy.hostname),
        port: portOf(proxy),
        method: "CONNECT",
        path: authority,
        headers: { ...headers, host: authority },
        agent: false,
        signal,
      });
      connecting.once("error", (error) => reject(proxyFailure("The proxy cannot be reached", error)));
      connecting.once("connect", (answer, socket: Socket, head: Buffer) => {
        if (answer.statusCode === 200) {
          if (head.length > 0) socket.unshift(head);
          return resolve(socket);
        }
        socket.destroy();
        reject(proxyFailure(`The proxy refused the connection (${answer.statusCode})`));
      });
      connecting.end();
    });
  }

  return async (addresses, port, signal) => {
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await connectTo(address, port, signal);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}

function proxyFailure(message: string, cause?: unknown): NetError {
  return new NetError("SCRAPE_SITE_ERROR", message, cause);
}
