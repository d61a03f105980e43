export { createJobExport, type ExportJob } from "./export/export-job.ts";
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
export {
  type ExtractionStep,
  foundDepth,
  foundPage,
  isOver,
  stepOf,
  timeIsUp,
  timeLeft,
} from "./extraction/step.ts";
export { wantedWords } from "./extraction/wanted-words.ts";
export { ownUrls } from "./own-urls.ts";
export { openDocumentJob, openExtraction } from "./page-context.ts";
export { createTaskPages } from "./read-task-page.ts";
export { showDocument } from "./show-document.ts";
export { createJobPages } from "./stored-job-page.ts";
export { pageTask, shortKey, urlKey } from "./task-keys.ts";
export type {
  Findings,
  PageEnding,
  PageJobContext,
  ReadTaskPage,
  ResultDetails,
  TaskPageRequest,
  TaskPages,
  UnreadPage,
} from "./task-page.ts";
export { pagesOfWalledHost } from "./walled-hosts.ts";
