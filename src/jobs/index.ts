export { resultAgeMs } from "./job-end.ts";
export { createOwner, type Owner } from "./owner.ts";
export { maxTries, type SettledPage, type Settlement } from "./settle.ts";
export type { Ending, FoundPage, Task } from "./task.ts";
export { createWorker, type Report, type Worker } from "./worker.ts";
