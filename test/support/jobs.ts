// Short ways to run crawls and batches through the API and to look at what came of them.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Answer, CallOptions, TestApp } from "./app.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";

export interface FinishedJob {
  id: string;
  /** The answer that started it. */
  started: Answer["body"];
  /** The last status, without its documents. */
  status: Answer["body"];
  /** All documents, over all pages of the status. */
  data: Answer["body"][];
  /** Path and query of every document's address, sorted. */
  paths: string[];
  errors: { id: string; url: string; code: string; error: string; timestamp: string }[];
  robotsBlocked: string[];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A site that is closed when the test ends. */
export async function openSite(pages: Parameters<typeof startSite>[0]): Promise<FixtureSite> {
  const site = await startSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** A page with a heading and links. */
export function page(title: string, links: readonly string[] = []): string {
  const list = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join("");
  return `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>The text of ${title}.</p><ul>${list}</ul></main>`;
}

/** Pages of the same kind for several paths. */
export function pagesFor(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, page(path)]));
}

export const redirectTo =
  (location: string): Handler =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

export const answerText =
  (text: string, type = "text/plain"): Handler =>
  (_request, response) =>
    response.writeHead(200, { "content-type": type }).end(text);

export function sitemapOf(...urls: string[]): Handler {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join("");
  return answerText(`<?xml version="1.0"?><urlset>${entries}</urlset>`, "application/xml");
}

export async function startJob(app: TestApp, path: string, body: object, call: CallOptions = {}): Promise<string> {
  const { status, body: answer } = await app.call("POST", path, { body, ...call });
  expect([status, answer.error]).toEqual([200, undefined]);
  return answer.id;
}

/**
 * Asks about a job until there is an answer. Asking is work, too, and takes it from the job: it is asked when the app has said
 * that the job changed, at most every twentieth of a second, and once a second anyway.
 */
export async function untilAnswered<Found>(app: TestApp, id: string, ask: () => Promise<Found | null>): Promise<Found> {
  for (;;) {
    const gone = new AbortController();
    // Before the question: what changes while it is answered counts, too.
    const change = nextChange(app, id, gone.signal);
    const found = await ask();
    if (found !== null) {
      gone.abort();
      return found;
    }
    await Promise.all([change, setTimeout(50)]);
  }
}

/** An app in another process says nothing of its jobs. */
async function nextChange({ jobs }: Partial<Pick<TestApp, "jobs">>, id: string, gone: AbortSignal): Promise<void> {
  await jobs?.signals.next(id, gone);
}

/** Resolves with the first page of the job, when it has ended. */
export async function untilEnded(app: TestApp, path: string, call: CallOptions = {}): Promise<Answer["body"]> {
  await untilAnswered(app, idOf(path), async () => {
    // Without the documents.
    const { status, body } = await app.get(`${path}?limit=1`, call);
    expect(status).toBe(200);
    return body.status === "scraping" ? null : body;
  });
  return (await app.get(path, call)).body;
}

export function idOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export async function runJob(app: TestApp, path: string, body: object, call: CallOptions = {}): Promise<FinishedJob> {
  const { status: code, body: started } = await app.call("POST", path, { body, ...call });
  expect([code, started.error]).toEqual([200, undefined]);
  return collectJob(app, `${path}/${started.id}`, started, call);
}

async function collectJob(
  app: TestApp,
  path: string,
  started: Answer["body"] = {},
  call: CallOptions = {},
): Promise<FinishedJob> {
  const { data: first, ...status } = await untilEnded(app, path, call);
  const data = [...first];
  for (let next: string | undefined = status.next; next !== undefined; ) {
    const { body } = await app.get(next.slice(app.url.length), call);
    data.push(...body.data);
    next = body.next;
  }
  const { errors, robotsBlocked } = (await app.get(`${path}/errors`, call)).body;
  const paths = data.map(({ metadata }) => pathOf(metadata.sourceURL)).toSorted();
  return { id: idOf(path), started, status, data, paths, errors, robotsBlocked };
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
