// `trawl extract` and `trawl agent`: start a job and follow it to its end.
import { ServiceError } from "../../base/index.ts";
import type { OperationBody } from "../../contract/index.ts";
import { readSchema } from "../service/flags.ts";
import type { Invocation, OwnFlags } from "../service/invocation.ts";
import { type WorkPlace, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printable, tell, toText, warn } from "../terminal/printing.ts";
import { writeOutput } from "./pages.ts";

export async function extract({ words: urls, flags, request }: Invocation): Promise<void> {
  if (urls.length === 0) throw new UsageError("trawl extract needs the URLs of pages.");
  const body = { showSources: true, evidence: true, ...request, ...(await wanted(flags)), urls, origin: "cli" };
  await withService(flags, async (service) => {
    const { client, signal } = service;
    const { id, invalidURLs } = await client.startExtract(body as OperationBody<"startExtract">, service);
    for (const text of invalidURLs ?? []) tell(`Invalid URL: ${printable(text)}`);
    if (flags.wait === false) return print(id);
    await working(service, async () => {
      const answer = await client.waitForExtract(id, { signal });
      warn(answer);
      if (answer.status === "failed") throw new ServiceError("INTERNAL_ERROR", answer.error);
      await show(flags, answer, answer.data);
    });
  });
}

export async function agent({ words, flags, request }: Invocation): Promise<void> {
  const prompt = [...words, ...(flags.prompt === undefined ? [] : [flags.prompt])].join(" ");
  if (prompt === "") throw new UsageError("trawl agent needs a prompt: what to find, in plain language.");
  const body = { ...request, ...(await wanted(flags)), prompt, origin: "cli" };
  await withService(flags, async (service) => {
    const { client, signal } = service;
    const started = await client.startAgent(body as OperationBody<"startAgent">, service);
    warn(started);
    if (flags.wait === false) return print(started.id);
    const cancel = () => void client.cancelAgent(started.id).catch(() => undefined);
    signal.addEventListener("abort", cancel, { once: true });
    await working(service, async () => {
      // Without the signal: a cancelled agent still tells what it found.
      const answer = await client.waitForAgent(started.id);
      if (signal.aborted) tell(`Cancelled job ${started.id}.`);
      const { partial } = answer;
      if (answer.status === "failed" && partial === undefined) throw new ServiceError("INTERNAL_ERROR", answer.error);
      if (partial !== undefined && answer.error) tell(answer.error);
      await show(flags, answer, partial ?? answer.data ?? answer.message ?? null);
      if (partial !== undefined) process.exitCode = 3;
    });
    signal.removeEventListener("abort", cancel);
  });
}

/** In this process, jobs need somebody who works on them. */
async function working({ local }: WorkPlace, work: () => Promise<void>): Promise<void> {
  await local?.parts.work.start();
  try {
    await work();
  } finally {
    await local?.parts.work.stop(0);
  }
}

async function wanted({ schema, prompt }: OwnFlags) {
  return {
    ...(schema === undefined ? {} : { schema: await readSchema(schema) }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

async function show({ json, pretty, output }: OwnFlags, answer: object, data: unknown): Promise<void> {
  const text = toText(json ? answer : data, pretty ?? true);
  if (output === undefined) print(text);
  else await writeOutput(output, `${text}\n`);
}
