// Lists the URLs of a site for a caller: checks URL and credits, finds, charges, records, answers.
import { type Caller, prices, requestedBy } from "../../accounts/index.ts";
import { bareUrl, createDeadline, newId, ServiceError } from "../../base/index.ts";
import { ignoredOptions } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";

/** One map, as its charge and its line in the activity list name it. */
interface MapNote {
  id: string;
  endpoint: "map";
  target: string;
}

export function createMapOperations({ store, clock, credits, activity, checkUrl, findSiteUrls }: OperationParts) {
  /** Charge and activity are written together or not at all. */
  async function save(caller: Caller, note: MapNote): Promise<void> {
    const now = clock.now();
    const { teamId, keyId } = caller;
    const row = { ...requestedBy(caller), rowId: newId(now), createdAt: now, outcome: "succeeded" as const };
    const bill = { id: newId(now), teamId, keyId, at: now, credits: prices.map, reason: "map" };
    await store.transaction(async (statements) => {
      await statements.charges.charge([{ ...bill, jobId: note.id, endpoint: note.endpoint }]);
      await statements.activity.insert([{ ...row, ...note }]);
    });
  }

  return {
    async map(input, caller, callerSignal) {
      requireAllowedUrl(checkUrl, input.url);
      const { teamId } = caller;
      await credits.require(teamId, prices.map);
      const id = newId(clock.now());
      const note: MapNote = { id, endpoint: "map", target: bareUrl(input.url) };
      const deadline = input.timeout === undefined ? null : createDeadline(callerSignal, input.timeout);
      const signal = deadline?.signal ?? callerSignal;
      try {
        const { links, startWarnings, warnings, hints } = await findSiteUrls({ ...input, teamId }, signal);
        signal.throwIfAborted();
        await save(caller, note);
        const warned = warningOf([...startWarnings, ...ignoredOptions(input), ...warnings, ...hints]);
        return { success: true, id, links, ...warned };
      } catch (error) {
        await activity.note(caller, { ...note, outcome: "failed" });
        throw signal.aborted ? new ServiceError(callerSignal.aborted ? "ABORTED" : "MAP_TIMEOUT") : error;
      } finally {
        deadline?.clear();
      }
    },
  } satisfies ServedOperations;
}
