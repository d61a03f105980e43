// The HTTP face alone, on port 0, over operations that a test makes up: no store, no pages.
import type { KeyHolder } from "../../src/accounts/index.ts";
import { createLog, createTimeSlicer } from "../../src/base/index.ts";
import { loadConfig } from "../../src/config.ts";
import { buildOpenApi } from "../../src/contract/index.ts";
import { type HttpDeps, type HttpOptions, type HttpServer, startHttpServer } from "../../src/http/index.ts";
import { otherKey, testKey } from "./app.ts";

export interface TestFace extends HttpServer {
  logLines: string[];
}

const holders = new Map([testKey, otherKey].map((key, at) => [key, holder(at === 0 ? "acme" : "other")]));

function holder(team: string): KeyHolder {
  return { teamId: team, teamName: team, keyId: `key of ${team}`, keyName: "test", requestsPerMinute: null };
}

export async function startFace(
  operations: Partial<HttpDeps["operations"]>,
  env: Record<string, string> = {},
  { takeRate, openLiveView, ...options }: Partial<HttpOptions & Pick<HttpDeps, "takeRate" | "openLiveView">> = {},
): Promise<TestFace> {
  const logLines: string[] = [];
  const config = loadConfig({ PORT: "0", HOST: "127.0.0.1", ...env });
  const isOpen = config.auth === "none";
  const server = await startHttpServer(
    {
      log: createLog("info", { write: (line) => void logLines.push(line) }),
      version: "0.0.0",
      buildOpenApi: () => buildOpenApi({ version: "0.0.0" }),
      answerGuide: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
      checkHealth: async () => ({ canRead: true, canWrite: true }),
      authentication: {
        mode: config.auth,
        identify: async (token) => holders.get(token) ?? null,
        findPolicy: async () => ({ ipRanges: [] }),
        openTeam: isOpen ? { id: "open", name: "open", requestsPerMinute: null } : null,
      },
      takeRate: takeRate ?? (async () => null),
      requireUpload: async () => {},
      agentHints: async () => [],
      slicer: createTimeSlicer(),
      operations: operations as HttpDeps["operations"],
      ...(openLiveView ? { openLiveView } : {}),
    },
    { ...config, ...options },
  );
  return { ...server, logLines };
}
