// `trawl serve`: runs the server until it is told to stop.
import { type App, describeContact, type Role, start, version } from "../../app.ts";
import { createLog } from "../../base/index.ts";
import { type Config, loadConfig } from "../../config.ts";
import type { Invocation, OwnFlags } from "../service/invocation.ts";
import { letHeapGrow } from "../service/small-start.ts";
import { UsageError } from "../service/usage-error.ts";
import { print } from "../terminal/printing.ts";

export async function serve({ flags }: Invocation): Promise<void> {
  const role = readRole(flags);
  const config = loadConfig();
  if (role !== "all" && config.databaseUrl === null) {
    throw new UsageError("--role requires DATABASE_URL because the embedded database supports a single server only.");
  }
  const log = createLog(config.logLevel);
  const app = await start(config, { log, role });
  letHeapGrow();
  stopOnSignals(app, log);
  const work = { worker: "jobs", browser: "pages in browsers" };
  if (role === "worker" || role === "browser") {
    print(`Trawl ${version} is processing ${work[role]}. Health: ${app.url}/health/readiness`);
  } else print(welcome(app, config));
}

const roles: readonly Role[] = ["all", "api", "worker", "browser"];

function readRole({ role }: OwnFlags): Role {
  const known = roles.find((each) => each === (role ?? "all"));
  if (known === undefined) throw new UsageError(`--role must be one of ${roles.join(", ")}.`);
  return known;
}

/** The first signal lets running requests finish; the second ends the process at once. */
function stopOnSignals(app: App, log: ReturnType<typeof createLog>): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    await app.stop();
    log.info("stopped");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      stop(signal).catch((error) => {
        log.fatal({ err: error }, "stopping failed");
        process.exit(1);
      });
    });
  }
}

function welcome({ url, firstKey, firstLink }: App, config: Config): string {
  const { auth } = config;
  const contact = describeContact(config);
  const key = firstKey ?? "YOUR_API_KEY";
  const header = auth === "keys" ? ` -H "Authorization: Bearer ${key}"` : "";
  return [
    `Trawl ${version} is ready.`,
    `  API page   ${url}/docs`,
    ...(firstKey ? [`  API key    ${firstKey}   (shown only once; save it now)`] : []),
    `  Dashboard  ${firstLink ?? `${url}/dashboard`}${firstLink ? "   (works once, within 15 minutes; new one: trawl dashboard-link)" : ""}`,
    ...(auth === "none" ? ["  Open mode  anyone who can reach this URL can use it without a key"] : []),
    ...(contact?.isOwn === false && (firstKey || firstLink) ? [`  Contact    ${contact.sentence}`] : []),
    `  Try it     curl ${url}/v2/scrape${header} -H "Content-Type: application/json" -d '{"url":"https://example.com"}'`,
  ].join("\n");
}
