// What must hold of every job, whatever broke while it ran: each page once with one charge, webhooks at least once with one id
// each, nothing left in work, and every server ready.
import { expect } from "vitest";
import { type Installation, type Job, until } from "./installation.ts";

export async function expectWhole(installation: Installation, jobs: Job[]) {
  const { ask, servers, site, receiver, database } = installation;
  for (const { path, id } of jobs) {
    const hasEnded = async () => {
      const { status, body } = await ask("GET", `${path}/${id}?limit=1`);
      return status === 200 && body.status !== "scraping";
    };
    await until(hasEnded, `the end of ${path}`);
  }
  const endedAt = Date.now();
  for (const job of jobs) await expectPages(installation, job);
  await expectCharges(installation, jobs);
  const delivered = await expectWebhooks(installation, jobs);
  if (database) await expectNothingLeft(installation);
  for (const { url } of Object.values(servers).flat())
    await until(async () => (await fetch(`${url}/health/readiness`)).status === 200, "every server ready");
  const asked = site.asked.filter((path) => /^\/(?:$|p\/|apart\/)/.test(path));
  const pages = sum(jobs.map(({ urls }) => urls.length));
  return { endedAt, pages, repeated: asked.length - pages, again: receiver.deliveries.length - delivered };
}

async function expectPages({ ask }: Installation, { path, id, urls }: Job): Promise<void> {
  const read: string[] = [];
  let next: string | undefined = `${path}/${id}`;
  while (next) {
    const { status, body } = await ask("GET", next);
    expect([status, body.status, body.error]).toEqual([200, "completed", undefined]);
    expect([body.completed, body.creditsUsed]).toEqual([urls.length, urls.length]);
    for (const { metadata } of body.data) read.push(metadata.sourceURL);
    next = body.next;
  }
  expect(read.toSorted()).toEqual(urls.toSorted());
}

async function expectCharges({ ask, database, query }: Installation, jobs: Job[]): Promise<void> {
  const { body } = await ask("GET", "/v2/team/credit-usage/historical");
  expect(body).toMatchObject({ periods: [{ totalCredits: sum(jobs.map(({ urls }) => urls.length)) }] });
  if (!database) return;
  for (const { id, urls } of jobs) {
    const counts = "count(*)::int as charges, sum(credits)::int as credits";
    const [row] = await query(`select ${counts} from credit_ledger where job_id = '${id}'`);
    expect(row).toEqual({ charges: urls.length, credits: urls.length });
  }
}

/** Resolves with how many there were, each counted once. */
async function expectWebhooks({ receiver }: Installation, jobs: Job[]): Promise<number> {
  const ids = () => new Set(receiver.deliveries.map(({ webhookId }) => webhookId));
  const expected = sum(jobs.map(({ urls }) => urls.length + 2)); // each page, the start and the end
  await until(() => ids().size >= expected, `${expected} webhooks`);
  expect(ids().size).toBe(expected);
  const idOf = new Map<string, string>();
  for (const { type, webhookId, data } of receiver.deliveries) {
    const url = data[0]?.metadata?.sourceURL;
    if (!type.endsWith(".page") || !url) continue;
    expect(idOf.get(url) ?? webhookId).toBe(webhookId);
    idOf.set(url, webhookId);
  }
  expect([...idOf.keys()].toSorted()).toEqual(jobs.flatMap(({ urls }) => urls).toSorted());
  return expected;
}

async function expectNothingLeft({ query }: Installation): Promise<void> {
  const count = async (rows: string) => Number((await query(`select count(*)::int as n from ${rows}`))[0]?.["n"]);
  expect(await count("jobs where status = 'scraping' or waiting > 0 or active > 0")).toBe(0);
  expect(await count("job_pages where state <> 'done'")).toBe(0);
  await until(async () => (await count("webhook_events where status = 'pending'")) === 0, "no event waiting");
  expect(await count("webhook_events where status <> 'delivered'")).toBe(0);
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
