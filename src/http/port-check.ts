// Whether a server could listen somewhere, found out by trying.
import { createServer } from "node:net";

/** The system's code of the reason; null when nothing is in the way. */
export function whyNotListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}
