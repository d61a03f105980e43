export { type RecordedEvent, recordedTypes } from "./making/recorded-event.ts";
export { stepsOfEvents, withIds } from "./making/steps-of-events.ts";
export * from "./steps/parameters.ts";
export { writePlaywright } from "./steps/playwright-module.ts";
export { stepInWords, targetInWords } from "./steps/step-words.ts";
export type { Candidate, Container, FramePlace, Use } from "./targets/candidate.ts";
export { describeCandidate, type Finding, findElement, isInFrame } from "./targets/find-element.ts";
export { foldName, isSameName } from "./targets/fold-name.ts";
export {
  type HealLimits,
  healByRules,
  isRisky,
  rolesLike,
  type ScoredCandidate,
  scoreCandidates,
} from "./targets/heal-by-rules.ts";
