// Pages that answer only once a test says so.
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import { page } from "./jobs.ts";

export function openGate() {
  let count = 0;
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return {
    page: (title: string) => async (_request: IncomingMessage, response: ServerResponse) => {
      count += 1;
      await opened;
      response.writeHead(200, { "content-type": "text/html" }).end(page(title));
    },
    /** Requests so far. */
    count: () => count,
    asked: (least: number) => expect.poll(() => count).toBeGreaterThanOrEqual(least),
    open: () => open(),
  };
}
