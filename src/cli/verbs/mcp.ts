// `trawl mcp`: the tools over standard input and output, on a server or in this process.

import { readToolSetting } from "../../app.ts";
import { createHttpTransport } from "../../client/index.ts";
import { loadConfig } from "../../config.ts";
import { readToolList } from "../../contract/index.ts";
import { serveStdio } from "../../mcp/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { serverOf, withLocal } from "../service/open-service.ts";

export async function mcp({ flags, version }: Invocation): Promise<void> {
  const server = await serverOf(flags);
  const config = loadConfig();
  const tools = readToolList(String(flags.tools ?? ""), readToolSetting(config));
  const own = { version, prefix: config.mcpToolPrefix, tools };
  if (server) return serveStdio({ ...own, transport: createHttpTransport(server) });
  await withLocal(flags.team, async ({ parts, caller }) => {
    await parts.work.start();
    try {
      await serveStdio({ ...own, transport: parts.direct(caller) });
    } finally {
      await parts.work.stop(0);
    }
  });
}
