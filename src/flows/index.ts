export { type RecordedEvent, recordedTypes } from "./making/recorded-event.ts";
export { stepsOfEvents, withIds } from "./making/steps-of-events.ts";
export * from "./steps/flow-parameters.ts";
export { writePlaywright } from "./steps/playwright-module.ts";
export { stepInWords, targetInWords } from "./steps/step-words.ts";
export type { Container, ElementCandidate, FramePlace, Use } from "./targets/element-candidate.ts";
export { describeCandidate, type FoundElement, findElement, isInFrame } from "./targets/find-element.ts";
export { foldName, isSameName } from "./targets/fold-name.ts";
export {
  type HealLimits,
  healByRules,
  isRisky,
  rolesLike,
  type ScoredCandidate,
  scoreCandidates,
} from "./targets/heal-by-rules.ts";
