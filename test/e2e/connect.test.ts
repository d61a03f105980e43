// The page that says how to connect, and its line for curl, run as it stands there.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";

const run = promisify(execFile);

it("names every tool with this server's own URL, and its curl line works", async () => {
  const app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  const site = await openSite({ "/": "<title>Connected</title><h1>Connected</h1>" });
  const { status, text } = await app.get("/connect", { key: null });
  expect(status).toBe(200);
  for (const name of [
    "Claude Code",
    "Claude Desktop",
    "Cursor",
    "VS Code",
    "Zed",
    "Open WebUI",
    "LibreChat",
    "n8n",
    "Dify",
    "Flowise",
    "LangChain JS",
    "LlamaIndex",
    "CrewAI",
    "Vercel AI SDK",
    "Official SDKs",
    "curl",
  ])
    expect(text).toContain(`<h2>${name}</h2>`);
  expect(text).toContain(`${app.url}/mcp`);
  const [, line = "false"] = /<pre>(curl [^<]*)<\/pre>/.exec(text) ?? [];
  const command = line
    .replaceAll("&quot;", '"')
    .replace("Bearer KEY", `Bearer ${app.key}`)
    .replace("https://example.com", site.url);
  const { stdout } = await run("sh", ["-c", `${command} -s`]);
  expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { markdown: "# Connected" } });
  await app.stop();
});
