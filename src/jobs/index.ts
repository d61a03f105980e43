export { createJobs, type Jobs, type JobsOptions } from "./assembly/create-jobs.ts";
export { costEvent, jobItself, newEvent } from "./engine/job-events.ts";
export {
  type AgentSettings,
  type CrawlSettings,
  type ExtractionSettings,
  type JobSettings,
  type SettingsOf,
  shownSettings,
} from "./engine/job-settings.ts";
export type { JobSignals } from "./engine/job-signals.ts";
export type { FirstTask, JobStarter, NamedTasks } from "./engine/job-start.ts";
export type { Worker } from "./engine/job-worker.ts";
export { cancelRunning, requireLiving } from "./engine/living-job.ts";
export { createOwner, type Owner } from "./engine/owner.ts";
export type { JobPauser } from "./engine/pause-job.ts";
export type { ActiveTask, JobContext, KindOfWork, KindsOfWork } from "./engine/perform-task.ts";
export { type Ending, failed, type NewTask, type NewTaskOf, type Report, type TaskOf } from "./engine/task.ts";
export { bestLinks } from "./extraction/best-links.ts";
export { type ExtractionPages, originKey } from "./extraction/extraction-pages.ts";
export type { PageFinder } from "./extraction/find-pages.ts";
export { type PageAnswerer, type RankedRecord, readableOf } from "./extraction/page-answers.ts";
export type { ExtractionRecords } from "./extraction/record-store.ts";
export type {
  ActionRecord,
  AnswerRecord,
  ExtractionRecord,
  PageControl,
  PagesAnswer,
  ReadRecord,
  StepRecord,
} from "./extraction/records.ts";
export { type ExtractionStep, foundDepth, foundPage, isOver, stepOf, timeIsUp, timeLeft } from "./extraction/step.ts";
export { wantedWords } from "./extraction/wanted-words.ts";
export { pagesOfBlockingHost } from "./pages/blocking-hosts.ts";
export { type DocumentJobs, jobProgressOf, maxErrors, steeringOf } from "./pages/document-jobs.ts";
export type { ExportJob } from "./pages/export/export-job.ts";
export { ownUrls } from "./pages/own-urls.ts";
export { openDocumentJob, openExtraction } from "./pages/page-context.ts";
export { pageTask, shortKey, urlKey } from "./pages/task-keys.ts";
export type {
  Findings,
  PageEnding,
  PageJobContext,
  ResultDetails,
  TaskPageRequest,
  TaskPages,
  UnreadPage,
} from "./pages/task-page.ts";
