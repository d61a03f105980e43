// Operations that answer while a caller waits: scrapes, maps, searches and a team's own account.
import type { Accounts, Caller } from "../accounts/index.ts";
import type { Operations } from "../contract/index.ts";
import {
  createFeedbackOperations,
  createIndexOperations,
  createMapOperations,
  createParseOperations,
  createScrapeOperations,
  createSearchOperations,
  createSourceOperations,
  createTeamOperations,
  type IndexDeps,
  type MapDeps,
  type OpenSourceDeps,
  type ParseDeps,
  type ScrapeDeps,
  type SearchDeps,
  type TeamDeps,
} from "../operations/index.ts";

/** What all operations share; each takes what it needs. */
export interface OperationDeps
  extends Omit<ScrapeDeps, "credits">,
    Omit<ParseDeps, "credits">,
    Omit<MapDeps, "credits" | "activity">,
    Omit<SearchDeps, "credits">,
    IndexDeps,
    OpenSourceDeps,
    Omit<TeamDeps, "accounts" | "store" | "clock"> {
  accounts: Accounts;
}

/** What is done while a caller waits. */
export function joinOperations({ accounts, ...deps }: OperationDeps) {
  const { store, clock } = deps;
  const { credits, activity } = accounts;
  return {
    ...createTeamOperations({ ...deps, accounts }),
    ...createScrapeOperations({ ...deps, credits }),
    ...createParseOperations({ ...deps, credits }),
    ...createMapOperations({ ...deps, credits, activity }),
    ...createSearchOperations({ ...deps, credits }),
    ...createSourceOperations(deps),
    ...createIndexOperations(deps),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
}
