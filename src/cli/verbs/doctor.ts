// `trawl doctor`: one line for each dependency of the server, and how to mend what is wrong.
import { defaultTeamName } from "../../accounts/index.ts";
import { examineMachine, examineServer, type Finding, openParts } from "../../app.ts";
import { createLog, ServiceError } from "../../base/index.ts";
import { type Config, loadConfig } from "../../config.ts";
import type { Invocation } from "../service/invocation.ts";
import { print, toText } from "../terminal/printing.ts";

const marks: Record<Finding["state"], string> = { ok: "ok", absent: "-", failed: "FAILED" };
const indent = " ".repeat(29);

/** Fails when something that is configured does not work. */
export async function doctor({ flags: { json, pretty } }: Invocation): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of examine(loadConfig())) {
    findings.push(finding);
    if (!json) show(finding);
  }
  if (json) print(toText({ ok: findings.every(({ state }) => state !== "failed"), findings }, pretty));
  if (findings.some(({ state }) => state === "failed")) process.exitCode = 1;
}

function show({ subject, state, message, fix }: Finding): void {
  print(`${marks[state].padEnd(8)}${subject.padEnd(21)}${message}`);
  if (fix !== undefined) print(`${indent}${fix}`);
}

async function* examine(config: Config): AsyncGenerator<Finding> {
  yield* examineMachine(config);
  try {
    const parts = await openParts(config, { log: createLog("silent") });
    try {
      const team = await parts.accounts.teams.findOrCreate(defaultTeamName);
      yield* examineServer(config, parts, team.id);
    } finally {
      await parts.close();
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fix = "Set DATA_DIR to a folder that this user may write, or DATABASE_URL to a PostgreSQL that answers.";
    yield { subject: "Store", state: "failed", message: error.message, fix };
  }
}
