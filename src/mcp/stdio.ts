// MCP over standard input and output, for programs that start it themselves.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { Transport } from "../client/index.ts";
import type { ToolName } from "../contract/index.ts";
import { createMcpServer } from "./mcp-server.ts";
import { createReadings } from "./readings.ts";

interface StdioDeps {
  version: string;
  prefix: string;
  tools: readonly ToolName[];
  transport: Transport;
}

/** Resolves when standard input has ended. */
export async function serveStdio(deps: StdioDeps): Promise<void> {
  const readings = createReadings();
  const ended = Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]);
  const connection = serveConnection(() =>
    createMcpServer({ ...deps, team: "", readings, isSameForAll: true, readFile: (path) => readFile(path) }),
  );
  await ended;
  await connection.close();
}
