// The MCP face of the server: opened with the first request, since most servers never get one.
import type { Accounts, Caller } from "../accounts/index.ts";
import { createLazy } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { McpFace } from "../mcp/index.ts";
import { createDirectTransport } from "./direct-calls.ts";

interface McpParts {
  operations: Operations<Caller>;
  accounts: Accounts;
}

export function joinMcp(config: Config, { operations, accounts }: McpParts, version: string) {
  const face = createLazy(async () => {
    // Loaded late: the protocol and its tokenizer take memory that an idle server does not need.
    const { createMcpFace } = await import("../mcp/index.ts");
    const takeRate = accounts.limits.take;
    const countRequest = accounts.usageHours.note;
    const direct = (caller: Caller) => createDirectTransport({ operations, caller, takeRate, countRequest });
    return createMcpFace({ version, prefix: config.mcpToolPrefix, direct });
  });

  return {
    async handle(...call: Parameters<McpFace["handle"]>): Promise<void> {
      await (await face.open()).handle(...call);
    },
    async close(): Promise<void> {
      await (await face.opened())?.close();
    },
  };
}
