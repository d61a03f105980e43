// The MCP face of the server: opened with the first request, since most servers never get one.
import type { Accounts, Caller } from "../accounts/index.ts";
import { type Clock, createLazy, newId, ServiceError } from "../base/index.ts";
import { type Config, ConfigError } from "../config.ts";
import { type Operations, readToolList, type ToolName } from "../contract/index.ts";
import type { McpFace, Readings } from "../mcp/index.ts";
import { resultAgeMs, type Store } from "../store/index.ts";
import { createDirectTransport } from "./direct-calls.ts";

interface McpParts {
  operations: Operations<Caller>;
  accounts: Accounts;
  store: Store;
  clock: Clock;
}

export function joinMcp(config: Config, { operations, accounts, store, clock }: McpParts, version: string) {
  const tools = readToolSetting(config);
  const face = createLazy(async () => {
    // Loaded late: the protocol and its tokenizer take memory that an idle server does not need.
    const { createCancellations, createMcpFace } = await import("../mcp/index.ts");
    const takeRate = accounts.limits.take;
    const countRequest = accounts.usageHours.note;
    const direct = (caller: Caller) => createDirectTransport({ operations, caller, takeRate, countRequest });
    const cancellations = createCancellations(store.notifier);
    const readings = storedReadings(store, clock);
    return createMcpFace({ version, prefix: config.mcpToolPrefix, direct, readings, cancellations });
  });

  return {
    /** The tools of this server that a request asks for; throws for an unknown name. */
    chooseTools: (list: string): readonly ToolName[] => readToolList(list, tools),
    async handle(...call: Parameters<McpFace["handle"]>): Promise<void> {
      await (await face.open()).handle(...call);
    },
    async close(): Promise<void> {
      await (await face.opened())?.close();
    },
  };
}

/** Throws what an operator reads when the setting names a tool that does not exist. */
export function readToolSetting({ mcpTools }: Config): readonly ToolName[] {
  try {
    return readToolList(mcpTools ?? "all");
  } catch (error) {
    const [issue] = error instanceof ServiceError ? (error.details as { message: string }[]) : [];
    if (!issue) throw error;
    throw new ConfigError(`MCP_TOOLS must be names of tools and presets. ${issue.message}.`);
  }
}

/** A reading is good as long as the results of jobs and scrapes are. */
function storedReadings(store: Pick<Store, "readings">, clock: Clock): Readings {
  return {
    async keep(teamId, tool, answer) {
      const now = clock.now();
      const id = newId(now);
      const times = { createdAt: now, expiresAt: now + resultAgeMs };
      await store.readings.keep({ id, teamId, tool, ...times }, JSON.stringify(answer));
      return id;
    },
    async find(teamId, tool, id) {
      const text = await store.readings.find({ id, teamId, tool }, clock.now());
      return text === null ? null : (JSON.parse(text) as object);
    },
  };
}
