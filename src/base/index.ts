export { offAbort, onAbort } from "./abort.ts";
export { joinObjects, toJson, withFieldJson } from "./answer-json.ts";
export {
  type Clock,
  dayMs,
  hourMs,
  isoTime,
  minuteMs,
  monthOf,
  monthStart,
  passTime,
  secondMs,
  systemClock,
} from "./clock.ts";
export { compiledFile } from "./compiled-file.ts";
export { cutPage, readCursor } from "./cursor.ts";
export { createDeadline, isTimeout } from "./deadline.ts";
export {
  type ErrorCode,
  type ErrorHelp,
  errorCharges,
  errorPage,
  errorTable,
  loadErrorHelp,
  refusedField,
  ServiceError,
} from "./errors.ts";
export { createGatherer } from "./gather.ts";
export { createGroup } from "./group.ts";
export { earliestId, isUuid, newId, newKey, sha256, timeOfId } from "./ids.ts";
export { createIpList, readIpRange } from "./ip-ranges.ts";
export { createLazy, type Lazy } from "./lazy.ts";
export { createLog, type Logger, logLevels } from "./log.ts";
export { logFailure } from "./log-failure.ts";
export type { Measure } from "./measure.ts";
export { ownCopy } from "./own-copy.ts";
export { createOwner, hasEnded, isRunning, type Owner, statOf } from "./process.ts";
export { createMemory, remember } from "./remember.ts";
export { type Repetition, repeat } from "./repeat.ts";
export { isObject, isRegularExpression, scalarText } from "./scalar-text.ts";
export { createSecretMask, type SecretMask } from "./secret-mask.ts";
export { holdsSecret } from "./secrets.ts";
export { createSemaphore, type Release, type Semaphore } from "./semaphore.ts";
export { sentence } from "./sentence.ts";
export { createSlots, type SlotShare, type Slots } from "./slots.ts";
export {
  activeTraceparent,
  createTraceStart,
  type OpenTrace,
  type SpanFacts,
  type SpanPlace,
  type SpanStart,
  type StartTrace,
  type Tracer,
} from "./span.ts";
export { splitList } from "./split-list.ts";
export { onStage, runStage } from "./stage.ts";
export { limitThreadMemory } from "./thread-memory.ts";
export { createThreadDeadline, createThreadNote, type NotedTask, noteThread, type ThreadNote } from "./thread-time.ts";
export { createTimeSlicer, type TimeSlicer } from "./time-slicer.ts";
export { createTrace, type StepFacts, type Trace, type TraceStep } from "./trace.ts";
export {
  bareUrl,
  basicAuthorization,
  decodeEscapes,
  holdsCredentials,
  hrefHost,
  maxUrlLength,
  pageUrl,
  parseUrl,
  readUrl,
  withoutFragment,
} from "./url.ts";
