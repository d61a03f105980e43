// Builds the room: everything through which a feature obtains pages, from what it is given.
import type { Clock, Lazy, Slots } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { Extractor, PageFinding, ReaderInput } from "../../extraction/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { Net } from "../../net/index.ts";
import type { Reach } from "../../reach/index.ts";
import type { Store } from "../../store/index.ts";
import { createPageAnswers } from "../answers/page-answers.ts";
import { createPageCache } from "../cache/page-cache.ts";
import { createChangeTracker } from "../changes/change-tracker.ts";
import type { RecognitionSettings } from "../files/file-messages.ts";
import { createFileRunner, type FileRunnerOptions } from "../files/file-runner.ts";
import { createDocumentReader, createPageFileReader } from "../files/page-file.ts";
import { createFlowPreparer, type FlowDeps } from "../flows/prepare-flow.ts";
import { createBrowserCheck } from "../formats/browser-check.ts";
import { createHostTexts } from "../learning/host-texts.ts";
import { createSiteRulesReader } from "../learning/site-rules.ts";
import { createCaptionReader } from "../media/caption-reader.ts";
import { createMediaReader } from "../media/kept-media.ts";
import { createFileObtainer, createPageObtainer } from "../obtain/obtain-page.ts";
import { createStoredDocuments } from "../obtain/stored-document.ts";
import { createPageRecorder, type IndexIntake } from "../record/page-record.ts";
import { createPageSaver } from "../record/save-pages.ts";
import { createPageStages } from "../stages/stages.ts";
import { createResultTexts } from "../texts/result-texts.ts";

export interface PagesDeps {
  store: Store;
  clock: Clock;
  net: Net;
  reach: Reach;
  slots: Slots;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: Lazy<Extractor>;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** Null when the local index is off. */
  index: IndexIntake | null;
  openSecrets: FlowDeps["openSecrets"];
}

export interface PagesOptions {
  /** Whether copies made for one team may serve another. */
  isShared: boolean;
  /** Days that a copy is kept. */
  cacheDays: number;
  /** The processes that read files. */
  files: FileRunnerOptions;
  recognition: RecognitionSettings;
  flows: FlowDeps["settings"];
}

export type Pages = ReturnType<typeof createPages>;

export function createPages(deps: PagesDeps, options: PagesOptions) {
  const { store, clock, net, reach, slots, content, extraction, model, index, openSecrets } = deps;
  const files = createFileRunner(options.files);
  const readDocument = createDocumentReader(files, options.recognition);
  const siteRules = createSiteRulesReader({ store, clock, content, extraction });
  const cache = createPageCache({ store, clock }, { isShared: options.isShared, days: options.cacheDays });
  const recorder = createPageRecorder({ cache, clock, pack: store.blobs.pack, index });
  const flows = createFlowPreparer({ store, clock, model, openSecrets, settings: options.flows });
  const stages = createPageStages({
    flows,
    reach,
    cache,
    recorder,
    slots,
    clock,
    content,
    siteRules,
    hostTexts: createHostTexts(),
    readFile: createPageFileReader(readDocument, model),
    answers: createPageAnswers(extraction, model),
    captions: createCaptionReader(net),
    trackChanges: createChangeTracker({ store, clock }),
  });
  const obtainPage = createPageObtainer(stages, reach.targets);
  const savePages = createPageSaver({ store, recorder });
  return {
    siteRules,
    recorder,
    checkFlow: flows.check,
    requireBrowser: createBrowserCheck({ status: reach.browserStatus }),
    obtainPage,
    obtainFile: createFileObtainer(stages),
    readStoredDocument: createStoredDocuments({ store, clock, makeDocument: stages.makeDocument }),
    readCopy: cache.readBytes,
    readMedia: createMediaReader({ store, clock }),
    files,
    readDocument,
    savePages,
    openResultTexts: createResultTexts({ clock, obtainPage, savePages }),
  };
}
