// `trawl mcp`: the tools over standard input and output, on a server or in this process.
import { createHttpTransport } from "../../client/index.ts";
import { loadConfig } from "../../config.ts";
import { serveStdio } from "../../mcp/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { serverOf, withLocal } from "../service/open-service.ts";

export async function mcp({ flags, version }: Invocation): Promise<void> {
  const server = await serverOf(flags);
  const prefix = loadConfig().mcpToolPrefix;
  if (server) return serveStdio({ version, prefix, transport: createHttpTransport(server) });
  await withLocal(flags.team, async ({ parts, caller }) => {
    await parts.work.start();
    try {
      await serveStdio({ version, prefix, transport: parts.direct(caller) });
    } finally {
      await parts.work.stop(0);
    }
  });
}
