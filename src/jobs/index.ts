export { resultAgeMs } from "./job-end.ts";
export { endpointOf, hasAnswer, isFreeWhenFailed, statusPathOf } from "./job-kinds.ts";
export { createOwner, type Owner } from "./owner.ts";
export type { Settlement } from "./settle.ts";
export { maxTries, type SettledTask } from "./tally.ts";
export { type Ending, failed, type NewTask, type Report, type Task, type TaskFindings, type TaskOf } from "./task.ts";
export { createWorker, type Worker } from "./worker.ts";
