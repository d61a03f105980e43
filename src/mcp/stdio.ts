// MCP over standard input and output, for programs that start it themselves.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "../client/index.ts";
import { createMcpServer } from "./mcp-server.ts";
import { createReadings } from "./readings.ts";

/** Resolves when standard input has ended. */
export async function serveStdio(deps: { version: string; prefix: string; transport: Transport }): Promise<void> {
  const server = createMcpServer({ ...deps, team: "", readings: createReadings(), readFile: (path) => readFile(path) });
  const ended = Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]);
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
