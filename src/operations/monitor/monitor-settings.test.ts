import { describe, expect, it } from "vitest";
import type { MonitorSettings } from "./monitor-record.ts";
import { mergeSettings, settingWarnings } from "./monitor-settings.ts";

const earlier: MonitorSettings = {
  targets: [],
  webhook: { url: "https://hook.test/", headers: {}, metadata: {}, events: [] },
  notification: undefined,
  notifyEmails: null,
  goal: "prices",
  judges: true,
  rules: { ignore: ["a"] },
};
const update = (input: object) => mergeSettings(earlier, { id: "1", ...input } as Parameters<typeof mergeSettings>[1]);

describe("an update of a monitor", () => {
  it("leaves what it does not name", () => {
    expect(update({})).toEqual(earlier);
  });

  it("removes what it sets to null", () => {
    expect(update({ webhook: null, rules: null })).toMatchObject({ webhook: null, rules: null, goal: "prices" });
  });

  it.each([
    [{ goal: "stock" }, true],
    [{ goal: null }, false],
    [{ goal: "stock", judgeEnabled: false }, false],
    [{ judgeEnabled: false }, false],
  ])("with %j: whether a model judges is %s", (input, judges) => {
    expect(update(input).judges).toBe(judges);
  });
});

describe("the warnings about a monitor", () => {
  const nothing = { model: null, mailer: null };

  it("say why no model judges a goal, and what decides instead", () => {
    expect(settingWarnings(earlier, nothing)).toEqual([expect.stringContaining("the rules decide")]);
    expect(settingWarnings({ ...earlier, rules: null }, nothing)).toEqual([expect.stringContaining("every change")]);
    expect(settingWarnings({ ...earlier, judges: false }, nothing)).toEqual([]);
  });

  it("name fields without JSON data, and email that cannot be sent", () => {
    const settings = {
      ...earlier,
      judges: false,
      rules: { fields: ["price"] },
      notification: { email: { enabled: true, recipients: [] } },
    } as unknown as MonitorSettings;
    expect(settingWarnings(settings, nothing)).toEqual([
      "rules.fields has no effect: no target asks for JSON data.",
      "No email is sent: SMTP_URL is not set.",
    ]);
  });
});
