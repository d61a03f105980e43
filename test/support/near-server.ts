// A server in the process of its test, with the settings of one in a process of its own and for half the CPU. It can be neither
// killed nor frozen: startServer of server-process.ts makes one for that.
import { onTestFinished } from "vitest";
import { type Role, start } from "../../src/app.ts";
import { createLog } from "../../src/base/index.ts";
import { loadConfig } from "../../src/config.ts";
import { quickBrowser } from "./browser.ts";
import { costsOf } from "./cost-counters.ts";

export interface NearServer {
  url: string;
  stop(): Promise<void>;
}

/** Stopped when the test ends, should it still run then. */
export async function openServer(env: Readonly<Record<string, string>>, role: Role = "all"): Promise<NearServer> {
  const config = loadConfig({ ...quickBrowser, PORT: "0", HOST: "127.0.0.1", OPEN_SEARCH: "0", ...env });
  costsOf().apps += 1;
  const app = await start(config, { log: createLog("fatal", { write: () => undefined }), role });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= app.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { url: app.url, stop };
}
