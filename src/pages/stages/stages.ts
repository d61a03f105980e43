// How a page is made. Every page goes through these stages in this order, wherever it comes from: from the web over HTTP or from a
// browser (`reading/try-attempts`), from the cache (`reading/read-page`), or from the caller (`obtain/obtain-file`). A stage without work
// for a page lets it pass. What the content room does in its threads is such a list, too: `content/reading/html-stages`.
import { isTimeout } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { PageAnswers } from "../answers/page-answers.ts";
import type { ChangeTracker } from "../changes/change-tracking.ts";
import type { DocumentJson } from "../document/document-json.ts";
import type { ContentOptions } from "../document/page-document.ts";
import type { ReadPageFile } from "../files/page-file.ts";
import type { LearningTurn } from "../learning/site-rules.ts";
import type { CaptionReader } from "../media/captions.ts";
import { createAnswerStage } from "./answer-requests.ts";
import { createInjectionStage } from "./check-injection.ts";
import type { EnteredPage } from "./entered-page.ts";
import { createPersonStage } from "./find-persons.ts";
import { finishDocument } from "./finish-document.ts";
import { identifyPage } from "./identify-page.ts";
import { judgePage } from "./judge-page.ts";
import { learnExtractor } from "./learn-extractor.ts";
import { firstStage, type StageResult } from "./list-of-stages.ts";
import type { ReadFindings } from "./page-reading.ts";
import { createParseStage, type ParseStageDeps } from "./parse-content.ts";
import { createCaptionStage } from "./read-captions.ts";
import { createDocumentStage } from "./read-document.ts";
import { redactPage } from "./redact-page.ts";
import { createChangeStage } from "./track-changes.ts";
import { writeDocument } from "./write-document.ts";

export interface StageDeps extends ParseStageDeps {
  answers: PageAnswers;
  trackChanges: ChangeTracker;
  readFile: ReadPageFile;
  captions: CaptionReader;
}

/** Names are those of the trace, where the stage is a step of it (`file`, `content`). */
export function createStageList(deps: StageDeps) {
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

/** A page that went through all stages. */
export interface DocumentRead extends ReadFindings {
  ok: true;
  document: Document;
  json: DocumentJson;
  /** False when the language model could not be used: a later request may get better outputs. */
  isFinal: boolean;
  /** Scripts would have filled it in, and none ran. */
  lacksText: boolean;
  /** What makes the document again from the page's bytes; null when more is needed. */
  remake: ContentOptions | null;
}

export type PageStages = (page: EnteredPage) => Promise<StageResult<DocumentRead>>;

export function createPageStages(deps: StageDeps): PageStages {
  const stages = createStageList(deps);
  return async (page) => {
    try {
      const made = await stages.run(page);
      if ("ok" in made) return made;
      const { answered, findings, snapshots, json, lacksText, remake } = made;
      const { outlinks, finding, places, searchText } = findings;
      const { document, isFinal } = answered;
      const found = { outlinks, finding, places, searchText, snapshots };
      return { ok: true, document, json, isFinal, lacksText, remake, ...found };
    } catch (error) {
      if (!page.signal.aborted) throw error;
      return { ok: false, code: isTimeout(page.signal) ? "SCRAPE_TIMEOUT" : "ABORTED" };
    } finally {
      (page as { learning?: LearningTurn | null }).learning?.end();
    }
  };
}
