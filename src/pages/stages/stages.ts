// How a page is obtained and made, in this order. A page enters at one of four places:
//
// - a URL enters at `robots check`. The site's answer, or a cached page, goes through the stages that `fetch` names below it; a block
//   page ends them, and `fetch` makes its next attempt. A cached document needs none of them.
// - a file that the caller sent enters at `take file`.
// - a stored page, whose document is made again, enters at `identify`, and nothing of it is recorded (`obtain/stored-document`).
//
// A stage without work for a page lets it pass. What the content room does in its threads is such a list, too:
// `content/reading/html-stages`.
import type { Clock, Slots } from "../../base/index.ts";
import type { Reach } from "../../reach/index.ts";
import type { PageAnswers } from "../answers/page-answers.ts";
import type { PageCache } from "../cache/page-cache.ts";
import type { ChangeTracker } from "../changes/change-tracker.ts";
import type { ReadPageFile } from "../files/page-file.ts";
import type { PrepareFlow } from "../flows/prepare-flow.ts";
import type { CaptionReader } from "../media/caption-reader.ts";
import type { PageRecorder } from "../record/page-record.ts";
import { createAnswerStage } from "./answer-requests.ts";
import type { AskedPage, NoPage } from "./asked-page.ts";
import { createInjectionStage } from "./check-injection.ts";
import { createRobotsStage } from "./check-robots.ts";
import type { EnteredPage } from "./entered-page.ts";
import { createFetchStage } from "./fetch-page.ts";
import { createCacheStage } from "./find-copy.ts";
import { createPersonStage } from "./find-persons.ts";
import { finishDocument } from "./finish-document.ts";
import { identifyPage } from "./identify-page.ts";
import { judgePage } from "./judge-page.ts";
import { learnExtractor } from "./learn-extractor.ts";
import { firstStage } from "./list-of-stages.ts";
import { createDocumentMaker } from "./make-document.ts";
import { createParseStage, type ParseStageDeps } from "./parse-content.ts";
import { createCaptionStage } from "./read-captions.ts";
import { createDocumentStage } from "./read-document.ts";
import { createRecordStage } from "./record-page.ts";
import { redactPage } from "./redact-page.ts";
import { createFileStage, type SentPage } from "./take-file.ts";
import { createChangeStage } from "./track-changes.ts";
import { writeDocument } from "./write-document.ts";

export interface DocumentStageDeps extends ParseStageDeps {
  answers: PageAnswers;
  trackChanges: ChangeTracker;
  readFile: ReadPageFile;
  captions: CaptionReader;
}

export interface StageDeps extends DocumentStageDeps {
  reach: Pick<Reach, "robots" | "reachPage" | "hosts" | "proxyWarnings" | "fetcher">;
  cache: PageCache;
  recorder: PageRecorder;
  slots: Slots;
  flows: Pick<PrepareFlow, "prepare">;
  clock: Clock;
}

export type PageStages = ReturnType<typeof createPageStages>;

/** Names are those of the trace, where the stage is a step of it (`cache`, `fetch`, `file`, `content`). */
export function createPageStages(deps: StageDeps) {
  const { reach, recorder, slots } = deps;
  const document = createDocumentStages(deps);
  const makeDocument = createDocumentMaker(document);

  const url = firstStage<AskedPage, NoPage>()
    .next("robots check", createRobotsStage(reach.robots))
    .next("cache", createCacheStage(deps))
    .next("fetch", createFetchStage({ isSearched: recorder.isSearched, ...deps }, makeDocument), document.names)
    .next("record", createRecordStage(recorder));

  const file = firstStage<SentPage>()
    .next("take file", createFileStage(slots, makeDocument), document.names)
    .next("record", createRecordStage(recorder));

  return { url, file, makeDocument };
}

/** From bytes to a document. */
export function createDocumentStages(deps: DocumentStageDeps) {
  const { answers } = deps;
  return firstStage<EnteredPage>()
    .next("identify", identifyPage)
    .next("file", createDocumentStage(deps.readFile))
    .next("content", createParseStage(deps))
    .next("judge", judgePage)
    .next("check injection", createInjectionStage(answers))
    .next("write document", writeDocument)
    .next("read captions", createCaptionStage(deps.captions))
    .next("find persons", createPersonStage(answers))
    .next("answer", createAnswerStage(answers))
    .next("learn extractor", learnExtractor)
    .next("redact", redactPage)
    .next("track changes", createChangeStage(deps.trackChanges))
    .next("finish", finishDocument);
}
