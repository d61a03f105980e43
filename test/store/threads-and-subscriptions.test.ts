// What the third migration added: the threads of agents, and who gets the email of monitors.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Monitor, NewJob, Store, Subscription } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noLimits } from "../support/job-store.ts";
import { noon } from "./rows.ts";

const subscription: Subscription = {
  ...{ monitorId: newId(), email: "one@example.com", status: "pending", source: "opt_in", createdAt: noon },
  ...{ consentState: "due", consentAttempts: 0, consentNextAt: noon, lastCheckId: null },
};
const monitor: Monitor = {
  ...{ id: subscription.monitorId, teamId: newId(), keyId: null, name: "News", status: "active", cron: "0 * * * *" },
  ...{ timezone: "UTC", jitterMs: 0, nextRunAt: noon, scheduledAt: noon, lastRunAt: null, currentCheckId: null },
  ...{ shown: "{}", sealed: "sealed", retentionDays: 30, creditsPerCheck: 1, runsPerMonth: 720, lastSummary: null },
  ...{ baseUrl: "http://trawl.test", createdAt: noon, updatedAt: noon },
};

describe.each(engines)("the store on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  let other: Store;
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
    other = await opened.openAnother();
  });
  afterAll(() => opened.cleanup());

  it("lists the runs of a thread in order, by its first run alone and for its team alone", async () => {
    const teamId = newId();
    const add = async (id: string, createdAt: number, changes: Partial<NewJob> = {}) => {
      const job = { id, teamId, keyId: null, kind: "agent", apiVersion: "v2", createdAt, pageLimit: 1 } as const;
      const rest = { maxActive: 1, delayMs: 0, scopeUrl: "", activityRowId: newId(), secrets: null, webhook: null };
      await store.jobs.insert({ ...job, ...rest, options: "{}", ...noLimits, ...changes });
    };
    const [first, second, third] = [newId(), newId(), newId()];
    await add(first, noon);
    await add(third, noon + 2, { threadId: first });
    await add(second, noon + 1, { threadId: first });
    await add(newId(), noon + 3, { threadId: second, teamId: newId() });
    const idsOf = async (team: string, thread: string) =>
      (await store.jobs.listThread(team, thread)).map(({ id }) => id);
    expect(await idsOf(teamId, first)).toEqual([first, second, third]);
    expect(await idsOf(teamId, second)).toEqual([]);
    expect(await idsOf(newId(), first)).toEqual([]);
  });

  it("gives a request for consent to one process, again when its time has come, and keeps the state of an address", async () => {
    await store.monitors.insert(monitor);
    await store.subscriptions.add([subscription]);
    const until = noon + 1000;
    expect(await store.subscriptions.takeConsentRequest(noon - 1, until)).toBeNull();
    const taken = await Promise.all([store, other].map((each) => each.subscriptions.takeConsentRequest(noon, until)));
    expect(taken.filter(Boolean)).toEqual([{ ...subscription, consentAttempts: 1, consentNextAt: until }]);
    expect(await other.subscriptions.takeConsentRequest(until, until + 1)).toMatchObject({ consentAttempts: 2 });

    const state = { status: "unsubscribed", consentState: "sent", consentNextAt: null } as const;
    await store.subscriptions.change(subscription, state);
    await store.subscriptions.add([subscription, { ...subscription, email: "two@example.com" }]);
    const rows = await store.subscriptions.list(subscription.monitorId);
    expect(rows.find(({ email }) => email === subscription.email)).toMatchObject(state);
    expect(rows).toHaveLength(2);
  });

  it("forgets the addresses of a deleted monitor", async () => {
    await store.monitors.change(monitor.id, { status: "deleted" });
    await store.retention.purge({ now: noon, limit: 100 });
    expect(await store.subscriptions.list(monitor.id)).toEqual([]);
  });
});
