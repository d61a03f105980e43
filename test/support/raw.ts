// Bytes over a plain socket, for requests that no HTTP client would send.
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  text: string;
}

/** Sends the bytes and resolves with everything that came back once the server closed the connection. */
export function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((done, failed) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", failed);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      done({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text });
    });
    for (const part of parts) socket.write(part);
  });
}
