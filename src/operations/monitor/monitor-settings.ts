// What a caller sets of a monitor: checked, merged with what was set before, and priced.
import { refusedField } from "../../base/index.ts";
import type { ChangeRules, OperationInput } from "../../contract/index.ts";
import { createComparer } from "../../monitors/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { MonitorSettings } from "./monitor-record.ts";
import { isMailed } from "./recipients.ts";
import { acceptTargets, asksForJson, priceOfCheck } from "./watched-targets.ts";

type CreateInput = OperationInput<"createMonitor">;
type UpdateInput = OperationInput<"updateMonitor">;

/** Throws 400, 403 or 501 with the field for settings that no check could follow. */
export async function acceptSettings(parts: OperationParts, input: CreateInput | MonitorSettings, now: number) {
  const { targets, warnings } = await acceptTargets(parts, input.targets, now);
  const { goal = null, rules = null, webhook = null, notification } = input as CreateInput & MonitorSettings;
  const notifyEmails = "notifyEmails" in input ? input.notifyEmails : emailsOf(input.notify);
  const asked = "judges" in input ? input.judges : input.judgeEnabled;
  const judges = asked ?? goal !== null;
  if (goal === null && judges && targets.some(({ type }) => type === "search"))
    throw refusedField(["goal"], "Search targets need a goal unless judgeEnabled is false");
  if (webhook) parts.jobs.starter.checkWebhook(webhook);
  await checkRules(rules ?? {});
  const settings: MonitorSettings = { targets, webhook, notification, notifyEmails, goal, judges, rules };
  return {
    settings,
    creditsPerCheck: priceOfCheck(targets, rules ?? {}, judges && parts.model !== null),
    warnings: [...warnings, ...settingWarnings(settings, parts)],
  };
}

/** Settings that have no effect as long as the server is set up as it is. */
export function settingWarnings(
  { goal, judges, rules, targets, notification }: MonitorSettings,
  { model, mailer }: Pick<OperationParts, "model" | "mailer">,
): string[] {
  return [
    ...(goal !== null && judges && model === null ? [unjudged(rules)] : []),
    ...(rules?.fields && !targets.some(asksForJson)
      ? ["rules.fields has no effect: no target asks for JSON data."]
      : []),
    ...(isMailed({ notification }) && mailer === null ? ["No email is sent: SMTP_URL is not set."] : []),
  ];
}

async function checkRules({ ignore = [] }: ChangeRules): Promise<void> {
  for (const [place, pattern] of ignore.entries()) {
    await createComparer({ ignore: [pattern] }).catch(() => {
      const message = "Must be a regular expression without look-around and back references";
      throw refusedField(["rules", "ignore", place], message);
    });
  }
}

/** What was sent takes the place of what was there; null removes it. */
export function mergeSettings(earlier: MonitorSettings, input: UpdateInput): MonitorSettings {
  const goal = input.goal === undefined ? earlier.goal : input.goal;
  const isNewGoal = input.goal !== undefined;
  return {
    targets: (input.targets as MonitorSettings["targets"] | undefined) ?? earlier.targets,
    webhook: input.webhook === undefined ? earlier.webhook : input.webhook,
    notification: input.notification === null ? undefined : (input.notification ?? earlier.notification),
    notifyEmails: input.notify === undefined ? earlier.notifyEmails : emailsOf(input.notify ?? undefined),
    goal,
    judges: input.judgeEnabled ?? (isNewGoal ? goal !== null : earlier.judges),
    rules: input.rules === undefined ? earlier.rules : input.rules,
  };
}

/** In lower case; null where no entries are named. */
function emailsOf(notify: CreateInput["notify"]): string[] | null {
  if (notify === undefined) return null;
  return notify.flatMap((entry) => (entry.channel === "email" ? entry.to.map((email) => email.toLowerCase()) : []));
}

function unjudged(rules: ChangeRules | null): string {
  const instead = rules ? "the rules decide which changes count" : "every change counts";
  return `No language model is configured (MODEL_NAME), so changes are not judged by the goal: ${instead}.`;
}
