// `trawl why`: the attempts that reached one page, or why none did.
import type { OperationOutput } from "../../contract/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { oneLine, print, printRows, toText } from "../terminal/printing.ts";

type Steps = NonNullable<OperationOutput<"scrape">["trace"]>;

interface AttemptLine {
  engine: string;
  proxy: string | null;
  status: number | null;
  verdict: string | null;
  ms: number;
  reason: string;
}

interface Report {
  url: string;
  isReached: boolean;
  /** Named like the field of a failed scrape, for programs that read --json. */
  rungs: AttemptLine[];
  /** What came back. */
  state?: string | undefined;
  code?: string;
  error?: string;
  details?: unknown;
  warning?: string | undefined;
}

export async function why({ words: [url], flags }: Invocation): Promise<void> {
  if (url === undefined) throw new UsageError("trawl why needs the URL of a page.");
  const body = { url, maxAge: 0, storeInCache: false, trace: true, formats: ["markdown" as const], origin: "cli" };
  await withService(flags, async ({ client, signal }) => {
    const report = await client.scrape(body, { signal }).then(
      ({ data, trace = [], warning }): Report => {
        const { pageState: state } = data.metadata;
        return { url, isReached: true, rungs: attemptsOf(trace), state, warning };
      },
      (error: Failed): Report => unreached(url, error),
    );
    if (flags.json) print(toText(report, flags.pretty ?? true));
    else show(report);
    if (!report.isReached) process.exitCode = 1;
  });
}

/** What a scrape fails with, from here or from a server. */
interface Failed extends Error {
  status?: number;
  code?: string;
  details?: unknown;
}

function unreached(url: string, error: Failed): Report {
  const { status = 0, code = "", message } = error;
  // A bad request, a wrong key and a server that is away say nothing about the page.
  if (status < 402) throw error;
  const { trace = [], ...details } = (error.details ?? {}) as { trace?: Steps };
  return { url, isReached: false, rungs: attemptsOf(trace), code, error: message, details };
}

/** Of the steps that are attempts. */
const engineOfStep: Record<string, string> = { fetch: "http", render: "browser", solve: "solver" };

function attemptsOf(trace: Steps): AttemptLine[] {
  return trace
    .filter(({ step }) => step in engineOfStep)
    .map(({ step, engine, ms, outcome, detail }) => {
      const { proxy = null, status = null, verdict = null, reason = "" } = (detail ?? {}) as Partial<AttemptLine>;
      const hasResponse = status !== null;
      const named = engine ?? engineOfStep[step] ?? "";
      return { engine: named, proxy, status, verdict: hasResponse ? verdict : outcome, ms: Math.round(ms), reason };
    });
}

function show({ isReached, rungs: attempts, state, error, warning }: Report): void {
  if (attempts.length > 0)
    printRows(attempts.map((line, index) => ({ attempt: index + 1, ...line, reason: oneLine(line.reason) })));
  const last = attempts.at(-1);
  const by = last ? ` by attempt ${attempts.length} (${last.engine})` : "";
  if (!isReached) print(`Not reached: ${oneLine(error ?? "")}`);
  else print(state === "content" ? `Reached${by}.` : `Reached${by}, but it is not content (${state ?? "unknown"}).`);
  if (warning) print(oneLine(warning));
}
