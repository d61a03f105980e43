// `trawl why`: how one page is reached, rung by rung, or why it is not.
import type { OperationOutput } from "../../contract/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { oneLine, print, printRows, toText } from "../terminal/printing.ts";

type Steps = NonNullable<OperationOutput<"scrape">["trace"]>;

interface RungLine {
  engine: string;
  proxy: string | null;
  status: number | null;
  verdict: string | null;
  ms: number;
  reason: string;
}

interface Answer {
  url: string;
  isReached: boolean;
  rungs: RungLine[];
  /** What the page is, or why there is none. */
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
    const answer = await client.scrape(body, { signal }).then(
      ({ data, trace = [], warning }): Answer => {
        const { pageState: state } = data.metadata;
        return { url, isReached: true, rungs: rungsOf(trace), state, warning };
      },
      (error: Failed): Answer => unreached(url, error),
    );
    if (flags.json) print(toText(answer, flags.pretty ?? true));
    else show(answer);
    if (!answer.isReached) process.exitCode = 1;
  });
}

/** What a scrape fails with, from here or from a server. */
interface Failed extends Error {
  status?: number;
  code?: string;
  details?: unknown;
}

function unreached(url: string, error: Failed): Answer {
  const { status = 0, code = "", message } = error;
  // A bad request, a wrong key and a server that is away say nothing about the page.
  if (status < 402) throw error;
  const { trace = [], ...details } = (error.details ?? {}) as { trace?: Steps };
  return { url, isReached: false, rungs: rungsOf(trace), code, error: message, details };
}

function rungsOf(trace: Steps): RungLine[] {
  return trace
    .filter(({ step }) => step === "fetch" || step === "render")
    .map(({ step, engine, ms, outcome, detail }) => {
      const { proxy = null, status = null, verdict = null, reason = "" } = (detail ?? {}) as Partial<RungLine>;
      const isAnswered = status !== null;
      const named = engine ?? (step === "fetch" ? "http" : "browser");
      return { engine: named, proxy, status, verdict: isAnswered ? verdict : outcome, ms: Math.round(ms), reason };
    });
}

function show({ isReached, rungs, state, error, warning }: Answer): void {
  if (rungs.length > 0)
    printRows(rungs.map((rung, index) => ({ rung: index + 1, ...rung, reason: oneLine(rung.reason) })));
  const last = rungs.at(-1);
  const by = last ? ` on rung ${rungs.length} (${last.engine})` : "";
  if (!isReached) print(`Not reached: ${oneLine(error ?? "")}`);
  else print(state === "content" ? `Reached${by}.` : `Reached${by}, but it is not content (${state ?? "unknown"}).`);
  if (warning) print(oneLine(warning));
}
