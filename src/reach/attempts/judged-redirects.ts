// Redirects of a page are judged by the team's target lists before they are followed.
import type { TargetCheck, TargetRefusal } from "../url-checks/target-lists.ts";
import type { ReachPage } from "./reach-page.ts";

export function withinTargets(reachPage: ReachPage, { refusalOf }: TargetCheck): ReachPage {
  return async (work, read) => {
    const { request } = work;
    let refusal: TargetRefusal | null = null;
    const mayFollow = async (url: string) => {
      refusal = await refusalOf(request.teamId, url);
      return refusal === null && (request.mayFollow === undefined || (await request.mayFollow(url)));
    };
    const reached = await reachPage({ ...work, request: { ...request, mayFollow } }, read);
    const declined = refusal as TargetRefusal | null;
    return reached.ok || declined === null ? reached : Object.assign({}, reached, declined);
  };
}
