// Asks another server of this installation to upgrade a connection.
import { type IncomingHttpHeaders, request } from "node:http";
import type { Duplex } from "node:stream";

export interface UpgradeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Null when it was not upgraded. */
  socket: Duplex | null;
}

/** `connection`: open already. Rejects when the server hangs up, or does not answer in time. */
export function requestUpgrade(
  connection: Duplex,
  { host, pathname }: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<UpgradeAnswer> {
  return new Promise((resolve, reject) => {
    const call = request({
      createConnection: () => connection,
      path: pathname,
      headers: { host, connection: "upgrade", ...headers },
    });
    const timer = setTimeout(() => call.destroy(new Error("it did not answer in time")), timeoutMs);
    const answer = (status: number, answered: IncomingHttpHeaders, socket: Duplex | null) => {
      clearTimeout(timer);
      resolve({ status, headers: answered, socket });
    };
    call.on("upgrade", (response, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      answer(response.statusCode ?? 0, response.headers, socket);
    });
    call.on("response", (response) => {
      answer(response.statusCode ?? 0, response.headers, null);
      call.destroy();
    });
    call.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    call.end();
  });
}
