export { createJobs, type Jobs, type JobsOptions } from "./assembly/create-jobs.ts";
export { cancelRunning, requireLiving } from "./engine/job-end.ts";
export { costEvent, jobItself, newEvent } from "./engine/job-events.ts";
export {
  type AgentSettings,
  type CrawlSettings,
  type ExtractionSettings,
  type JobSettings,
  type ResearchSettings,
  type SettingsOf,
  shownSettings,
} from "./engine/job-settings.ts";
export type { ActiveTask, ContextOf, JobContext, KindOfWork, KindsOfWork } from "./engine/perform-task.ts";
export {
  type Ending,
  type FirstTask,
  failed,
  type NamedTasks,
  type NewTask,
  type NewTaskOf,
  type Report,
  type TaskOf,
} from "./engine/task.ts";
export {
  type ActionRecord,
  type AnswerRecord,
  type ExtractionRecord,
  holdsValue,
  type PageControl,
  type PagesAnswer,
  type RankedRecord,
  type ReadRecord,
  readableOf,
  type StepRecord,
  type Suggestion,
} from "./extraction/records.ts";
export { type ExtractionStep, foundDepth, foundPage, isOver, stepOf, timeIsUp, timeLeft } from "./extraction/step.ts";
export { jobProgressOf, maxErrors, steeringOf } from "./pages/document-jobs.ts";
export { ownUrls } from "./pages/own-urls.ts";
export { originKey, pageTask, shortKey, urlKey } from "./pages/task-keys.ts";
export {
  type Findings,
  type PageContextOf,
  type PageEnding,
  type PageJobContext,
  pagesOfBlockingHost,
  type ResultDetails,
  type TaskPageRequest,
  type TaskPages,
  type UnreadPage,
} from "./pages/task-page.ts";
