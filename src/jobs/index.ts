export { createPageCounter } from "./engine/affordable-pages.ts";
export { createDocumentJobs, type DocumentJobs, jobProgressOf, maxErrors, steeringOf } from "./engine/document-jobs.ts";
export { costEvent, jobItself, newEvent } from "./engine/job-events.ts";
export { createJobNews } from "./engine/job-news.ts";
export {
  type AgentSettings,
  type CrawlSettings,
  type ExtractionSettings,
  type JobSettings,
  type SettingsOf,
  shownSettings,
} from "./engine/job-settings.ts";
export { createJobStarter, type FirstTask, type JobStarter, type NamedTasks } from "./engine/job-start.ts";
export { createWorker, withoutReserve } from "./engine/job-worker.ts";
export { cancelRunning, requireLiving } from "./engine/living-job.ts";
export { createOwner, type Owner } from "./engine/owner.ts";
export { createJobPauser, type JobPauser } from "./engine/pause-job.ts";
export {
  type ActiveTask,
  type ContextOf,
  createTaskPerformer,
  type JobContext,
  type KindOfWork,
  type KindsOfWork,
} from "./engine/perform-task.ts";
export { createJobSaver } from "./engine/save-settlements.ts";
export { createSettingsPacker } from "./engine/settings-packer.ts";
export type { Settlement } from "./engine/settle-job.ts";
export {
  type Ending,
  failed,
  type NewTask,
  type NewTaskOf,
  type Report,
  type Task,
  type TaskFindings,
  type TaskOf,
} from "./engine/task.ts";
export { bestLinks } from "./extraction/best-links.ts";
export { createEventData } from "./extraction/event-data.ts";
export { createExtractionPages, type ExtractionPages, originKey } from "./extraction/extraction-pages.ts";
export { createPageFinder, type PageFinder } from "./extraction/find-pages.ts";
export { createPageAnswerer, type PageAnswerer, type RankedRecord, readableOf } from "./extraction/page-answers.ts";
export { createExtractionRecords, type ExtractionRecords } from "./extraction/record-store.ts";
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
export { createJobExport, type ExportJob } from "./pages/export/export-job.ts";
export { ownUrls } from "./pages/own-urls.ts";
export { openDocumentJob, openExtraction } from "./pages/page-context.ts";
export { createTaskPages } from "./pages/read-task-page.ts";
export { showDocument } from "./pages/show-document.ts";
export { createJobPages } from "./pages/stored-job-page.ts";
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
