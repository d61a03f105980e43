// `trawl monitor`: what is watched, and what its checks have found.
import { setTimeout } from "node:timers/promises";
import { splitList } from "../../base/index.ts";
import { monitorRequest, scheduleOf } from "../../client/index.ts";
import type { OperationBody, OperationOutput } from "../../contract/index.ts";
import { flagNumber } from "../service/flags.ts";
import type { Invocation, OwnFlags } from "../service/invocation.ts";
import { readInputFile, type WorkPlace, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printRows, toText, warn } from "../terminal/printing.ts";

/** Between two looks at a check. */
const pauseMs = 200;

export async function createMonitor({ words: [file], flags }: Invocation): Promise<void> {
  const body = file === undefined ? monitorRequest(wordsOf(flags)) : await readJson(file);
  await withService(flags, async ({ client, signal }) => {
    const answer = await client.createMonitor(body as OperationBody<"createMonitor">, { signal });
    if (flags.json) return print(toText(answer, flags.pretty));
    warn(answer);
    if (answer.data) showMonitor(answer.data);
  });
}

export function listMonitors({ flags }: Invocation): Promise<void> {
  return withService(flags, async ({ client, signal }) => {
    const answer = await client.listMonitors(pageOf(flags), { signal });
    if (flags.json) return print(toText(answer, flags.pretty));
    printRows(
      answer.data.map(({ id, name, status, schedule, nextRunAt }) => ({
        ...{ id, name, status, schedule: schedule.cron ?? "", nextRun: nextRunAt ?? null },
      })),
    );
  });
}

export function getMonitor({ words: [id], flags }: Invocation): Promise<void> {
  return withMonitor("get", id, flags, async ({ client, signal }, known) => {
    const answer = await client.getMonitor(known, { signal });
    if (flags.json) print(toText(answer, flags.pretty));
    else showMonitor(answer.data);
  });
}

export async function updateMonitor({ words: [id, file], flags }: Invocation): Promise<void> {
  const body = file === undefined ? changesOf(flags) : await readJson(file);
  if (Object.keys(body).length === 0) throw new UsageError("trawl monitor update needs a field to change, or a file.");
  await change("update", id, flags, body);
}

export const pauseMonitor = ({ words: [id], flags }: Invocation) => change("pause", id, flags, { status: "paused" });
export const resumeMonitor = ({ words: [id], flags }: Invocation) => change("resume", id, flags, { status: "active" });

export function deleteMonitor({ words: [id], flags }: Invocation): Promise<void> {
  return withMonitor("delete", id, flags, async ({ client, signal }, known) => {
    const answer = await client.deleteMonitor(known, { signal });
    print(flags.json ? toText(answer, flags.pretty) : "Deleted.");
  });
}

export function runMonitor({ words: [id], flags }: Invocation): Promise<void> {
  return withMonitor("run", id, flags, async ({ client, signal }, known) => {
    const answer = await client.runMonitor(known, { signal });
    warn(answer);
    if (flags.wait) showCheck(await untilChecked(known, answer.id, { client, signal }), flags);
    else print(flags.json ? toText(answer, flags.pretty) : answer.id);
  });
}

async function untilChecked(id: string, checkId: string, { client, signal }: Pick<WorkPlace, "client" | "signal">) {
  for (;;) {
    const answer = await client.getMonitorCheck(id, checkId, {}, { signal });
    if (!["queued", "running"].includes(answer.data.status)) return answer;
    await setTimeout(pauseMs, undefined, { signal });
  }
}

export function listChecks({ words: [id], flags }: Invocation): Promise<void> {
  return withMonitor("checks", id, flags, async ({ client, signal }, known) => {
    const answer = await client.listMonitorChecks(known, pageOf(flags), { signal });
    if (flags.json) return print(toText(answer, flags.pretty));
    printRows(
      answer.data.map((check) => ({
        ...{ id: check.id, status: check.status, trigger: check.trigger, created: check.createdAt },
        ...countsOf(check.summary),
      })),
    );
  });
}

export function getCheck({ words: [id, checkId], flags }: Invocation): Promise<void> {
  return withMonitor("check", id, flags, async ({ client, signal }, known) => {
    if (checkId === undefined)
      throw new UsageError("trawl monitor check also needs the id of a check. See trawl monitor checks.");
    const query = { ...pageOf(flags), ...(flags.pageStatus === undefined ? {} : { status: flags.pageStatus }) };
    showCheck(await client.getMonitorCheck(known, checkId, query as never, { signal }), flags);
  });
}

function showCheck(answer: OperationOutput<"readMonitorCheck">, flags: OwnFlags): void {
  if (flags.json) {
    print(toText(answer, flags.pretty));
    return;
  }
  warn(answer);
  const { status, pages } = answer.data;
  print(`${status}`);
  for (const { status: state, url, diff } of pages) {
    print(`${state.padEnd(8)} ${url}`);
    if (diff?.text) print(diff.text.trimEnd());
  }
}

async function change(verb: string, id: string | undefined, flags: OwnFlags, body: object): Promise<void> {
  await withMonitor(verb, id, flags, async ({ client, signal }, known) => {
    const answer = await client.updateMonitor(known, body as OperationBody<"updateMonitor">, { signal });
    if (flags.json) print(toText(answer, flags.pretty));
    else showMonitor(answer.data);
  });
}

async function withMonitor(
  verb: string,
  id: string | undefined,
  flags: OwnFlags,
  work: (service: WorkPlace, id: string) => Promise<void>,
): Promise<void> {
  if (id === undefined)
    throw new UsageError(`trawl monitor ${verb} needs the id of a monitor. See trawl monitor list.`);
  await withService(flags, (service) => work(service, id));
}

interface ShownMonitor {
  id: string;
  name: string;
  status: string;
  schedule: { cron?: string | undefined; timezone?: string | undefined };
  nextRunAt?: string | null | undefined;
  feedUrl?: string | undefined;
}

function showMonitor({ id, name, status, schedule, nextRunAt, feedUrl }: ShownMonitor): void {
  const when = `${schedule.cron ?? ""} ${schedule.timezone ?? ""}`.trim();
  const rows = { id, name, status, schedule: when, nextRun: nextRunAt ?? "none", feed: feedUrl };
  for (const [label, value] of Object.entries(rows)) if (value !== undefined) print(`${label.padEnd(10)} ${value}`);
}

function countsOf(summary: object | null | undefined): Record<string, number> {
  const names = ["new", "changed", "removed", "error"];
  return Object.fromEntries(Object.entries(summary ?? {}).filter(([name]) => names.includes(name)));
}

const listOf = (texts: readonly string[] | undefined) => texts?.flatMap((text) => splitList(text));
const numberOf = (name: string, text: string | undefined) => (text === undefined ? undefined : flagNumber(name, text));

function pageOf({ limit, offset }: OwnFlags): { limit?: number; offset?: number } {
  return {
    ...(limit === undefined ? {} : { limit: flagNumber("limit", limit) }),
    ...(offset === undefined ? {} : { offset: flagNumber("offset", offset) }),
  };
}

function wordsOf(flags: OwnFlags) {
  const { page, scrapeUrls, crawlUrl, queries, maxResults, retentionDays, email } = flags;
  const urls = [...(page === undefined ? [] : [page]), ...(listOf(scrapeUrls) ?? [])];
  if (urls.length === 0 && crawlUrl === undefined && queries === undefined)
    throw new UsageError("trawl monitor create needs --page, --scrape-urls, --crawl-url or --queries, or a file.");
  return {
    ...flags,
    urls,
    queries: listOf(queries),
    includeDomains: listOf(flags.includeDomains),
    excludeDomains: listOf(flags.excludeDomains),
    webhookEvents: listOf(flags.webhookEvents),
    emails: listOf(email),
    maxResults: numberOf("max-results", maxResults),
    retentionDays: numberOf("retention-days", retentionDays),
  };
}

function changesOf(flags: OwnFlags): object {
  const { name, goal, state: status } = flags;
  const retentionDays = numberOf("retention-days", flags.retentionDays);
  return JSON.parse(JSON.stringify({ name, goal, status, retentionDays, schedule: scheduleOf(flags) }));
}

async function readJson(file: string): Promise<object> {
  try {
    return JSON.parse(await readInputFile(file)) as object;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("The file must hold one JSON object.");
  }
}
