// What a run of a client's methods is made of, and the page that is written from it.
import { fileURLToPath } from "node:url";
import { type UnservedName, unserved } from "../../../src/contract/table/unserved.ts";
import { sharedRun } from "../../support/shared-run.ts";

// biome-ignore lint/suspicious/noExplicitAny: clients answer in every shape, and the compiler does not know their types
export type Answer = any;

type State = "works" | "not served" | "cannot";

/** One method, tool or verb of a client. */
export interface Row {
  state: State;
  /** Why it does not work. */
  reason?: string;
  needsBrowser?: true;
  /** Fails when the method does not do what its state says. */
  run(): Promise<unknown>;
}

interface Outcome {
  method: string;
  state: State | "fails";
  reason: string;
}

export interface ClientRun {
  client: string;
  version: string;
  outcomes: Outcome[];
}

export const works = (run: () => Promise<unknown>): Row => ({ state: "works", run });
export const withBrowser = (run: () => Promise<unknown>): Row => ({ state: "works", needsBrowser: true, run });
/** The server refuses it and says what to use instead; the reason are those words. An unknown id is refused before. */
export const notServed = (operation: UnservedName, run: () => Promise<unknown>): Row => ({
  state: "not served",
  reason: unserved[operation],
  async run() {
    const said = await refusal(run());
    must(/\b(?:404|501)\b|not available|not found/i.test(said), said);
  },
});
/** It works with no server but the hosted one; without a run, because it would call that. */
export const cannot = (reason: string, run?: () => Promise<unknown>): Row => ({
  state: "cannot",
  reason,
  run: async () => (run ? refusal(run()) : undefined),
});

async function refusal(work: Promise<unknown>): Promise<string> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error(`it was not refused: ${JSON.stringify(result)?.slice(0, 300)}`);
}

/** A condition that must hold, with what was there instead. */
export function must(holds: unknown, found: unknown): void {
  if (!holds) throw new Error(`found ${JSON.stringify(found)?.slice(0, 500)}`);
}

/** A file of an installed client. Its own package.json installs it. */
export function fileOf(client: string, path: string): string {
  return fileURLToPath(new URL(`../node_modules/${client}/${path}`, import.meta.url));
}

/** Work that several rows need. */
export const once: (work: () => Promise<Answer>) => () => Promise<Answer> = sharedRun;

/** Asks until the answer fits, for a minute at most. */
export async function until(ask: () => Promise<Answer>, fits: (result: Answer) => boolean): Promise<Answer> {
  for (const end = Date.now() + 60_000; ; ) {
    const result = await ask();
    if (fits(result)) return result;
    if (Date.now() > end) throw new Error(`waited for a minute; last: ${JSON.stringify(result)?.slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * A few at a time, then those with a browser one after the other: a page is brought back in a session within a minute, which
 * a browser does not keep where the server has dozens of other requests, of this very test, to answer meanwhile.
 */
export async function runRows(rows: Readonly<Record<string, Row>>, hasBrowser: boolean, atOnce: number) {
  const outcomes: Outcome[] = [];
  const all = Object.entries(rows);
  const order = all.map(([method]) => method);
  const work = async (left: typeof all) => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [method, row] = next;
      try {
        await row.run();
        outcomes.push({ method, state: row.state, reason: row.reason ?? "" });
      } catch (error) {
        outcomes.push({ method, state: "fails", reason: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  const plain = all.filter(([, row]) => !row.needsBrowser);
  const rendered = hasBrowser ? all.filter(([, row]) => row.needsBrowser) : [];
  await Promise.all(Array.from({ length: atOnce }, () => work(plain)));
  await work(rendered);
  return outcomes.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
}

export function writePage(runs: readonly ClientRun[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const parts = runs.map(({ client, version, outcomes }) => {
    const count = outcomes.filter(({ state }) => state === "works").length;
    const lines = outcomes.map(({ method, state, reason }) => `| \`${method}\` | ${state} | ${cell(reason)} |`);
    return `## ${client} ${version}\n\n${count} of ${outcomes.length} work.\n\n| method | state | reason |\n| --- | --- | --- |\n${lines.join("\n")}\n`;
  });
  return `# Compatibility

Written by \`npm run prove -- compatibility\`: every method, tool and verb of these clients, as published and unmodified, called
against a real server with a site, a search service and a language model on loopback. \`npm test\` runs the official SDK,
firecrawl-mcp and firecrawl-cli and fails when this page no longer says what happens; the others take too long to install for
every run. n8n's own engine runs its node.

- **works**: the call did what it is for.
- **not served**: the call needs data of the hosted service; the server refuses it with the sentence in the last column.
- **cannot**: the client cannot do it with any other server than the hosted one.

${parts.join("\n")}`;
}
