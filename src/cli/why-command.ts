// `trawl why`: how one page is reached, rung by rung, or why it is not.
import { ServiceError } from "../base/index.ts";
import type { OperationOutput } from "../contract/index.ts";
import { oneCallMs, readInput, UsageError, withParts } from "./command.ts";
import type { Options } from "./options.ts";
import { oneLine, print, printRows } from "./printing.ts";

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

export async function why([url]: string[], { json }: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl why needs the URL of a page.");
  const fresh = { maxAge: 0, storeInCache: false, trace: true, formats: ["markdown"] };
  const input = readInput<"scrape">("scrape", { url, ...fresh, origin: "cli" });
  await withParts(async ({ operations }, caller) => {
    const answer = await operations.scrape(input, caller, AbortSignal.timeout(oneCallMs)).then(
      ({ data, trace = [], warning }): Answer => {
        const { pageState: state } = data.metadata;
        return { url, isReached: true, rungs: rungsOf(trace), state, warning };
      },
      (error: unknown): Answer => unreached(url, error),
    );
    if (json) print(JSON.stringify(answer, null, 2));
    else show(answer);
    if (!answer.isReached) process.exitCode = 1;
  });
}

function unreached(url: string, error: unknown): Answer {
  if (!(error instanceof ServiceError) || error.status === 400) throw error;
  const { code, message } = error;
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
