import type { PackedSnapshot } from "../../store/index.ts";
import { type ChangeTracker, findTracking } from "../changes/change-tracker.ts";
import { addWarnings } from "../document/page-document.ts";
import { withoutPictureNames } from "../media/pictures.ts";
import type { Answered } from "./answer-requests.ts";
import type { EnteredPage } from "./entered-page.ts";

export interface ChangesTracked {
  /** What the page's next changes are compared with. */
  snapshots: PackedSnapshot[];
}

type Needs = Pick<EnteredPage, "request"> & Answered;

const untracked: ChangesTracked = { snapshots: [] };

/** Compares the page with what the team saw of it before, where that is asked for. */
export function createChangeStage(trackChanges: ChangeTracker) {
  return ({ request, answered }: Needs): ChangesTracked | Promise<ChangesTracked> => {
    const tracking = findTracking(request.options);
    return tracking ? track(tracking, request, answered) : untracked;
  };

  async function track(
    tracking: NonNullable<ReturnType<typeof findTracking>>,
    { teamId, url }: Needs["request"],
    answered: Answered["answered"],
  ): Promise<ChangesTracked> {
    const { document, tracked, foundText } = answered;
    const text = withoutPictureNames(foundText);
    const { changeTracking, warnings, snapshots } = await trackChanges(teamId, url, tracking, {
      document,
      tracked,
      foundText: text,
    });
    if (changeTracking) document.changeTracking = changeTracking;
    addWarnings(document, warnings);
    return { snapshots };
  }
}
