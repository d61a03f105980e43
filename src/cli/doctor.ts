// `trawl doctor`: one line for each dependency of the server.
import { defaultTeamName } from "../accounts/index.ts";
import { examineServer, type Finding, openParts } from "../app.ts";
import { createLog, ServiceError } from "../base/index.ts";
import { type Config, loadConfig } from "../config.ts";
import { print } from "./printing.ts";

const marks: Record<Finding["state"], string> = { ok: "ok", absent: "-", failed: "FAILED" };

/** Fails when something that is configured does not work. */
export async function doctor(): Promise<void> {
  if (!(await printFindings(loadConfig()))) process.exitCode = 1;
}

async function printFindings(config: Config): Promise<boolean> {
  let isWell = true;
  const show = ({ subject, state, message }: Finding) => {
    print(`${marks[state].padEnd(8)}${subject.padEnd(21)}${message}`);
    isWell &&= state !== "failed";
  };
  try {
    const parts = await openParts(config, { log: createLog("silent") });
    try {
      const team = await parts.accounts.teams.findOrCreate(defaultTeamName);
      for await (const finding of examineServer(config, parts, team.id)) show(finding);
    } finally {
      await parts.close();
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    show({ subject: "Store", state: "failed", message: error.message });
  }
  return isWell;
}
