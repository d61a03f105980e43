import { createDeadline } from "../../base/index.ts";
import type { RobotsCheck, RobotsChecks, RobotsRefusal } from "../../reach/index.ts";
import type { AskedPage, NoPage, ObtainFailure } from "./asked-page.ts";
import type { StageResult } from "./list-of-stages.ts";

export interface RobotsChecked {
  /** The rules that hold for the page and wherever it redirects; null where robots.txt does not apply. */
  check: RobotsCheck | null;
  /** Ends with the request's time, which robots.txt and the page share. */
  signal: AbortSignal;
  /** To be called when the page has ended. */
  clear?: () => void;
}

const notAsked = { check: null };

/** Asks robots.txt whether the page may be read. */
export function createRobotsStage(checks: RobotsChecks) {
  return ({
    request,
    signal,
  }: AskedPage): Pick<RobotsChecked, "check"> | Promise<StageResult<RobotsChecked, NoPage>> => {
    const { robots, options, payer, url, archive } = request;
    if (robots === null) return notAsked;
    if (typeof robots === "object") return ask(robots, url, { signal });
    const site = { own: null, archive };
    const asked = { teamId: payer.teamId, options, isNamed: robots === "named", site };
    if (checks.isOpen(asked)) return notAsked;
    const deadline = createDeadline(signal, options.timeout);
    const check = checks.open({ ...asked, signal: deadline.signal });
    return ask(check, url, deadline);
  };
}

async function ask(
  check: RobotsCheck | null,
  url: string,
  limit: Pick<RobotsChecked, "signal" | "clear">,
): Promise<StageResult<RobotsChecked, NoPage>> {
  try {
    const refusal = check && (await check.refusalOf(url));
    if (!refusal) return { check, ...limit };
    limit.clear?.();
    return robotsFailure(refusal);
  } catch (error) {
    limit.clear?.();
    throw error;
  }
}

/** The failure of a page that robots.txt disallows. `otherwise`: the message unless the rules have one. */
export function robotsFailure(refusal: RobotsRefusal, otherwise?: string): ObtainFailure {
  const { code, message } = refusal;
  return { ok: false, code, message: message ?? otherwise, refusal };
}
