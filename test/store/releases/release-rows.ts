// What the kept store of a release holds, by subject: written by the release itself, read by every later version.
import {
  type IndexEntry,
  type Monitor,
  type NewJob,
  packBlob,
  packEntry,
  packFingerprint,
  packSnapshot,
  packVersion,
  type Store,
} from "../../../src/store/index.ts";
import type { SiteRulesKey } from "../../../src/store/pages/stored-site-rules.ts";
import { makeActivity, makeCharge, makeCopy, makeKey, makeScrape, noon } from "../rows.ts";
import { makeWebhookEvent } from "../webhook-rows.ts";

export interface ReleaseRows {
  /** The release that first kept them. */
  since: string;
  write(store: Store): Promise<unknown>;
  read(store: Store): Promise<unknown>;
  /** What `read` gives, or a part of it. */
  expected: unknown;
}

const id = (number: number) => `019a8b00-0000-7000-8000-${String(number).padStart(12, "0")}`;
const [teamId, keyId, jobId, blobId, personId, monitorId] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const url = "https://example.com/news/today";
const text = "The news of today, as a page said it.";
const month = 24_322;

const job: NewJob = {
  ...{ id: jobId, teamId, keyId, kind: "crawl", apiVersion: "v2", createdAt: noon, pageLimit: 10, maxActive: 2 },
  ...{ delayMs: 0, scopeUrl: url, activityRowId: id(7), secrets: null, webhook: null, options: '{"limit":10}' },
  ...{ pagePrice: 1, maxCredits: 50, maxBytes: null, stopAt: null, retentionMs: 86_400_000 },
};
const page = {
  jobId,
  key: url,
  place: 0,
  id: id(8),
  url,
  depth: 0,
  kind: "page",
  step: null,
  state: "waiting",
} as const;
const fingerprint = {
  ...{ teamId, key: "page key", readAt: noon, changedAt: noon - 1, finalUrl: url, etag: '"1"', lastModified: null },
  ...{ contentKey: "options", contentHash: "hash", links: [`${url}/more`] },
};
const monitor: Monitor = {
  ...{ id: monitorId, teamId, keyId, name: "News", status: "active", cron: "0 * * * *", timezone: "UTC", jitterMs: 0 },
  ...{ nextRunAt: noon, scheduledAt: noon, lastRunAt: null, currentCheckId: null, shown: "{}", sealed: "sealed" },
  ...{ retentionDays: 30, creditsPerCheck: 1, runsPerMonth: 720, baseUrl: "http://trawl.test", lastSummary: null },
  ...{ createdAt: noon, updatedAt: noon },
};
const version = {
  ...{
    monitorId,
    targetId: "target",
    key: url,
    url,
    state: "present" as const,
    depth: 0,
    seenAt: noon,
    checkId: id(16),
  },
  ...{ scrapeId: null, content: JSON.stringify({ markdown: text }) },
};
const entry: IndexEntry = {
  ...{ teamId, url, urlText: url, title: "News", description: null, text: Buffer.from(text), language: "en" },
  ...{ published: null, modified: null, seenAt: noon },
  words: { title: "news", anchors: "", url: "", headings: "", body: "the news of today" },
};
const plan = {
  ...{ teamId, anyOf: [["news"]], allOf: [], noneOf: [], hostGroups: [], excludedHosts: [], urlParts: [] },
  ...{ fromMs: null, toMs: null, isNewestFirst: false, limit: 10 },
};
const siteRulesKey: SiteRulesKey = { teamId, host: "example.com", kind: "extractor", form: "schema" };

export const releaseRows: Record<string, ReleaseRows> = {
  teams: {
    since: "0.1.0",
    write: (store) => store.teams.insert({ id: teamId, name: "kept", requestsPerMinute: 60, createdAt: noon }),
    read: (store) => store.teams.findByName("kept"),
    expected: { id: teamId, requestsPerMinute: 60, createdAt: noon },
  },
  keys: {
    since: "0.1.0",
    write: (store) => store.keys.insert(makeKey(teamId, { id: keyId, hash: "key hash" })),
    read: (store) => store.keys.findByHash("key hash"),
    expected: { keyId, teamName: "kept", revokedAt: null },
  },
  people: {
    since: "0.1.0",
    async write({ people }) {
      await people.insert({ id: personId, name: "Ada", createdAt: noon });
      await people.setPassword(personId, "ada", "scrypt");
      await people.join(teamId, personId, "owner", noon);
    },
    read: async ({ people }) => [await people.findBySignInName("ada"), await people.listOfTeam(teamId)],
    expected: [{ id: personId, name: "Ada", password: "scrypt" }, [{ id: personId, role: "owner" }]],
  },
  charges: {
    since: "0.1.0",
    write: (store) => store.charges.charge([makeCharge(teamId, { id: id(9), keyId, credits: 5 })]),
    read: async (store) => (await store.charges.listMonths(teamId)).map(({ credits }) => credits),
    expected: [5],
  },
  activity: {
    since: "0.1.0",
    write: (store) => store.activity.insert([makeActivity(teamId, { rowId: id(10), id: id(11), target: url })]),
    read: (store) => store.activity.page({ teamId, since: noon - 1, limit: 10 }),
    expected: [{ id: id(11), target: url, outcome: "succeeded" }],
  },
  blobs: {
    since: "0.1.0",
    async write({ blobs }) {
      const data = Buffer.from(text.repeat(50));
      await blobs.put([await packBlob({ id: blobId, teamId, createdAt: noon, expiresAt: null, data })]);
    },
    read: async ({ blobs }) => Buffer.from((await blobs.get(teamId, blobId, noon)) ?? "").toString(),
    expected: text.repeat(50),
  },
  copies: {
    since: "0.1.0",
    write: (store) => store.copies.insert([makeCopy(teamId, { id: id(12), key: "copy key", blobId })]),
    read: (store) => store.copies.find({ teamId, keys: ["copy key"], from: 0, to: noon, isSharedToo: false }),
    expected: { blobId, details: "{}" },
  },
  scrapes: {
    since: "0.1.0",
    write: (store) => store.scrapes.insert([makeScrape(teamId, { id: id(13), blobId, details: '{"kept":true}' })]),
    read: (store) => store.scrapes.find(teamId, id(13), noon),
    expected: { details: '{"kept":true}' },
  },
  knownPages: {
    since: "0.1.0",
    write: (store) => store.knownPages.note([{ teamId, url, title: "News", description: "", seenAt: noon }]),
    read: (store) => store.knownPages.listOfSite({ teamId, site: "example.com", limit: 10 }),
    expected: [{ url, title: "News" }],
  },
  pageFingerprints: {
    since: "0.1.0",
    write: async (store) => store.pageFingerprints.put([await packFingerprint(fingerprint)]),
    async read({ pageFingerprints }) {
      const found = (await pageFingerprints.find(teamId, ["page key"])).get("page key");
      return { ...found, links: await found?.links?.urls() };
    },
    expected: { ...fingerprint },
  },
  snapshots: {
    since: "0.1.0",
    write: async (store) => store.snapshots.put([await packSnapshot({ teamId, key: "tag", scrapedAt: noon, text })]),
    read: (store) => store.snapshots.find(teamId, "tag"),
    expected: { scrapedAt: noon, text },
  },
  jobs: {
    since: "0.1.0",
    write: (store) =>
      store.transaction(async ({ jobs, jobPages, jobResults }) => {
        await jobs.insert(job);
        await jobPages.add([page]);
        await jobs.change(jobId, { known: 1, waiting: 1 });
        await jobResults.insert([{ jobId, seq: 0, pageId: id(14), blobId, sizeBytes: 1, details: "{}" }]);
      }),
    read: async ({ jobs, jobResults }) => [await jobs.find(teamId, jobId), await jobResults.list(jobId, 0, 10)],
    expected: [{ ...job, status: "scraping", known: 1, waiting: 1 }, [{ pageId: id(14), blobId }]],
  },
  webhooks: {
    since: "0.1.0",
    write: (store) => store.webhooks.enqueue([makeWebhookEvent(teamId, { id: id(15), jobId, createdAt: noon })]),
    read: (store) => store.webhooks.find(teamId, id(15)),
    expected: { jobId, attempts: 0 },
  },
  monitors: {
    since: "0.1.0",
    async write({ monitors, versions }) {
      await monitors.insert(monitor);
      await versions.put([await packVersion(version)]);
    },
    read: async ({ monitors, versions }) => [
      await monitors.find(teamId, monitorId),
      (await versions.find(monitorId, "target", [url])).get(url),
    ],
    expected: [monitor, version],
  },
  searchIndex: {
    since: "0.1.0",
    write: async (store) => store.transaction(async ({ searchIndex }) => searchIndex.put([await packEntry(entry)])),
    read: async ({ searchIndex }) => searchIndex.read(await searchIndex.find(plan, { runs: [], pages: 0 })),
    expected: [{ url, title: "News" }],
  },
  siteRules: {
    since: "0.1.0",
    write: (store) => store.siteRules.put(siteRulesKey, { id: id(17), rules: "[]", version: 0, at: noon, most: 10 }),
    read: (store) => store.siteRules.find(siteRulesKey),
    expected: { id: id(17), rules: "[]" },
  },
  modelTokens: {
    since: "0.1.0",
    write: (store) => store.modelTokens.add({ teamId, keyId }, month, { input: 3, output: 4 }),
    read: (store) => store.modelTokens.sum(teamId, month),
    expected: 7,
  },
};
