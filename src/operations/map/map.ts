// Lists the URLs of a site for a caller: checks URL and credits, finds, charges, records, answers.
import { activityRow, type Caller, prices } from "../../accounts/index.ts";
import { bareUrl, createDeadline, newId, ServiceError } from "../../base/index.ts";
import { ignoredOptions } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { checkArchiveUse } from "../parts/archive-use.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";

/** One map, as its charge and its line in the activity list name it. */
interface MapNote {
  id: string;
  endpoint: "map";
  target: string;
  createdAt: number;
}

export function createMapOperations(parts: OperationParts) {
  const { store, clock, credits, activity, checkUrl, findSiteUrls, archives } = parts;

  /** Charge and activity are written together or not at all. */
  async function save(caller: Caller, note: MapNote, cost: number): Promise<void> {
    const now = clock.now();
    const { teamId, keyId } = caller;
    const result = { credits: cost, endedAt: now };
    const bill = { id: newId(now), teamId, keyId, at: now, credits: cost, reason: "map" };
    await store.transaction(async (statements) => {
      if (cost > 0) await statements.charges.charge([{ ...bill, jobId: note.id, endpoint: note.endpoint }]);
      await statements.activity.insert([activityRow(caller, note, result)]);
    });
  }

  return {
    async map(input, caller, callerSignal) {
      const { teamId } = caller;
      const { replay } = input;
      if (replay === undefined) requireAllowedUrl(checkUrl, input.url);
      await checkArchiveUse(archives, input, teamId);
      const cost = replay === undefined ? prices.map : 0;
      if (cost > 0) await credits.require(teamId, cost);
      const archive = archives.open({ replay, archiveId: "", teamId, options: { headers: {} } });
      const createdAt = clock.now();
      const id = newId(createdAt);
      const note: MapNote = { id, endpoint: "map", target: bareUrl(input.url), createdAt };
      const deadline = input.timeout === undefined ? null : createDeadline(callerSignal, input.timeout);
      const signal = deadline?.signal ?? callerSignal;
      try {
        const { links, startWarnings, warnings, hints } = await findSiteUrls({ ...input, teamId, archive }, signal);
        signal.throwIfAborted();
        await save(caller, note, cost);
        const warned = warningOf([...startWarnings, ...ignoredOptions(input), ...warnings, ...hints]);
        return { success: true, id, links, ...warned };
      } catch (error) {
        const failure = signal.aborted ? new ServiceError(callerSignal.aborted ? "ABORTED" : "MAP_TIMEOUT") : error;
        await activity.note(caller, note, { error: failure, endedAt: clock.now() });
        throw failure;
      } finally {
        deadline?.clear();
      }
    },
  } satisfies ServedOperations;
}
