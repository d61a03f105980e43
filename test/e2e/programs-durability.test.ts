// Programs of a server that dies.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lacksChromium } from "../support/browser.ts";
import { engines, environment, headers, kill } from "../support/crawl-servers.ts";
import { startServer } from "../support/server-process.ts";
import { descendantsOf } from "../support/sessions.ts";

describe.skipIf(lacksChromium)("programs of a server that is killed", () => {
  it("end with it, even one that never stops by itself", async () => {
    const [engine] = engines;
    if (engine === undefined) throw new Error("no engine");
    const server = await startServer(await environment(engine));
    const post = (path: string, body: object) =>
      fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const { id } = (await (await post("/v2/browser", {})).json()) as { id: string };
    const running = post(`/v2/browser/${id}/execute`, { code: "for (;;);", timeout: 300 }).catch(() => null);
    const programs = () =>
      descendantsOf(server.pid).filter(({ command }) =>
        command.includes("/kit/engines/programs/inside/program-main.js"),
      );
    await expect.poll(() => programs().length).toBeGreaterThan(1);
    const pids = programs().map(({ pid }) => pid);
    await kill(server);
    await running;
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});
