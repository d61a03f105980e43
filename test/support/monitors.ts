// Short ways to create monitors and to run their checks through the API.
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import type { Answer, TestApp } from "./app.ts";
import { untilAnswered } from "./jobs.ts";

/** A monitor that is due once a year, so that only the test starts its checks. */
export async function createMonitor(app: TestApp, body: object): Promise<string> {
  const answer = await app.call("POST", "/v2/monitor", {
    body: { name: "A monitor", schedule: { cron: "0 0 1 1 *" }, ...body },
  });
  expect([answer.status, answer.body.error, answer.body.details]).toEqual([200, undefined, undefined]);
  return answer.body.data.id;
}

/** Runs a check and resolves with it and its pages when it is over. */
export async function runCheck(app: TestApp, id: string): Promise<Answer["body"]> {
  const { status, body } = await app.call("POST", `/v2/monitor/${id}/run`);
  expect([status, body.error]).toEqual([200, undefined]);
  return untilChecked(app, id, body.id);
}

function untilChecked(app: TestApp, id: string, checkId: string): Promise<Answer["body"]> {
  return untilAnswered(app, checkId, async () => {
    const { status, body } = await app.get(`/v2/monitor/${id}/checks/${checkId}?limit=100`);
    expect([status, body.error]).toEqual([200, undefined]);
    return ["queued", "running"].includes(body.data.status) ? null : { ...body.data, warning: body.warning };
  });
}

/** A page whose only paragraph a test sets. */
export function changingPage(first: string) {
  let text = first;
  return {
    set(next: string) {
      text = next;
    },
    handler: (_request: IncomingMessage, response: ServerResponse) => {
      const html = `<title>A page</title><main><h1>A page</h1><p>${text}</p></main>`;
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    },
  };
}
