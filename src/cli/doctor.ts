// `trawl doctor`: one line for everything that the server depends on.
import { defaultTeamName } from "../accounts/index.ts";
import { examineServer, type Finding, openParts } from "../app.ts";
import { createLog, ServiceError } from "../base/index.ts";
import type { Config } from "../config.ts";

const marks: Record<Finding["state"], string> = { ok: "ok", absent: "-", failed: "FAILED" };

/** False when something that is configured does not work. */
export async function printFindings(config: Config, print: (line: string) => void): Promise<boolean> {
  let isWell = true;
  const show = ({ subject, state, message }: Finding) => {
    print(`${marks[state].padEnd(8)}${subject.padEnd(16)}${message}`);
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
