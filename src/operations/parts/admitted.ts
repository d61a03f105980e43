// Operations behind what their caller is limited to.
import type { Caller } from "../../accounts/index.ts";
import { requireFormats } from "../../contract/index.ts";

type Run = (input: unknown, caller: Caller, ...rest: unknown[]) => unknown;

/** What takes formats, at any depth. */
const takeFormats: ReadonlySet<string> = new Set([
  ...["scrape", "parse", "startBatch", "startCrawl", "search", "startExtract"],
  ...["createMonitor", "updateMonitor", "addIndexedSite", "addIndexedPages", "addIndexedDocuments"],
]);

/** The same operations, which refuse what their caller may not ask for before anything is done or charged. */
export function admitted<All extends object>(operations: All): All {
  const entries = Object.entries(operations) as [string, Run][];
  return Object.fromEntries(
    entries.map(([name, run]) => [name, takeFormats.has(name) ? limitedTo(name, run) : run]),
  ) as All;
}

function limitedTo(name: string, run: Run): Run {
  return (input, caller, ...rest) => {
    const { allowedFormats = null } = caller;
    if (allowedFormats === null) return run(input, caller, ...rest);
    try {
      requireFormats(name, input, allowedFormats);
    } catch (error) {
      return Promise.reject(error);
    }
    return run(input, caller, ...rest);
  };
}
