// Clients of both generations of the official MCP SDK. The newer one's own package.json installs it, so the compiler does not know
// it from here.
import { onTestFinished } from "vitest";
import type { TestApp } from "./app.ts";

const place = new URL("../clients/node_modules/@modelcontextprotocol/client/dist/index.mjs", import.meta.url);
const { Client, StreamableHTTPClientTransport } = await import(place.href);

export const modern = "2026-07-28";

/** What tests use of the newer client. */
export interface ModernClient {
  getServerVersion(): { name: string } | undefined;
  listTools(): Promise<{ tools: { name: string }[]; ttlMs?: number; cacheScope?: string }>;
  callTool(
    call: { name: string; arguments: object },
    options?: { signal?: AbortSignal; onprogress?(step: { progress: number }): void },
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  ): Promise<any>;
  close(): Promise<void>;
}

/** Speaks the revision of 2026 and no other. `fetch`: how it sends. */
export async function connectModern(url: string, key: string, send: typeof fetch = fetch): Promise<ModernClient> {
  const client = new Client({ name: "test", version: "2" }, { versionNegotiation: { mode: { pin: modern } } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: send }));
  onTestFinished(() => client.close());
  return client;
}

const prefix = "io.modelcontextprotocol";
const own = { [`${prefix}/protocolVersion`]: modern, [`${prefix}/clientCapabilities`]: {} };

/** A request as a modern client sends it; `headers` and `meta` say what is different. */
export function askModern(
  app: Pick<TestApp, "call">,
  method: string,
  params: Record<string, unknown> = {},
  {
    headers = {},
    meta = {},
    path = "/mcp",
    key,
  }: { headers?: Record<string, string>; meta?: object; path?: string; key?: string | null } = {},
) {
  const name = typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {};
  const usual = { accept: "application/json, text/event-stream", "mcp-protocol-version": modern, "mcp-method": method };
  const all = Object.entries({ ...usual, ...name, ...headers }).filter(([, value]) => value !== "");
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...own, ...meta } } };
  return app.call("POST", path, { body, headers: Object.fromEntries(all), ...(key === undefined ? {} : { key }) });
}
