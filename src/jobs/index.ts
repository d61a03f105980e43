export { createPageCounter } from "./affordable-pages.ts";
export { createDocumentJobs, type DocumentJobs, jobProgressOf, maxErrors, steeringOf } from "./document-jobs.ts";
export { costEvent, jobItself, newEvent } from "./job-events.ts";
export { endpointOf, hasAnswer } from "./job-kinds.ts";
export { createJobNews } from "./job-news.ts";
export {
  type AgentSettings,
  type CrawlSettings,
  type ExtractionSettings,
  type JobSettings,
  type SettingsOf,
  shownSettings,
} from "./job-settings.ts";
export { createJobStarter, type FirstTask, type JobStarter, type NamedTasks } from "./job-start.ts";
export { cancelRunning, requireLiving } from "./living-job.ts";
export { createOwner, type Owner } from "./owner.ts";
export { createJobPauser, type JobPauser } from "./pause-job.ts";
export {
  type ContextOf,
  createTaskPerformer,
  type JobContext,
  type KindOfWork,
  type KindsOfWork,
  type TaskInWork,
} from "./perform-task.ts";
export { createJobSaver } from "./save-settlements.ts";
export { createSettingsPacker } from "./settings-packer.ts";
export type { Settlement } from "./settle.ts";
export { maxTries } from "./tally.ts";
export {
  type Ending,
  failed,
  type NewTask,
  type NewTaskOf,
  type Report,
  type Task,
  type TaskFindings,
  type TaskOf,
} from "./task.ts";
export { createWorker, withoutReserve } from "./worker.ts";
