// How any feature obtains a page. Nothing is written here: the feature writes the page's rows in one transaction with its own.
import type { Capture } from "../../archive/index.ts";
import { bareUrl, createTrace, isoTime } from "../../base/index.ts";
import type { TargetCheck } from "../../reach/index.ts";
import type { ObtainedPage, ObtainFailure, ObtainPage, PageRequest } from "../stages/asked-page.ts";
import type { RobotsChecked } from "../stages/check-robots.ts";
import type { PageStages } from "../stages/stages.ts";
import type { SentPage } from "../stages/take-file.ts";

/** By its URL. */
export function createPageObtainer(
  { url: stages }: Pick<PageStages, "url">,
  { refusalOf }: Pick<TargetCheck, "refusalOf">,
): ObtainPage {
  return (async (request: PageRequest, signal: AbortSignal, trace = createTrace()) => {
    // Before robots.txt, and before a cached copy: a team does not get what it does not read.
    const refusal = await refusalOf(request.payer.teamId, request.url);
    if (refusal !== null) return refusal;
    const page = { request, signal, trace };
    try {
      const made = await stages.run(page);
      const { archive } = request;
      const isCaptured = archive?.kind === "capture";
      if (isCaptured) await keepExchanges(request, archive, "ok" in made ? null : made.obtained);
      if (!("ok" in made)) return made.obtained;
      // A page that robots.txt disallows was not begun.
      const isBegun = made.code !== "NOT_MODIFIED" && "check" in page;
      return isBegun ? { ...made, steps: trace.steps } : made;
    } finally {
      (page as Partial<RobotsChecked>).clear?.();
    }
  }) as ObtainPage;
}

/** Before the page counts as read: what an archive has of a job's pages is never less than what the job has. */
async function keepExchanges({ id, url }: PageRequest, capture: Capture, page: ObtainedPage | null): Promise<void> {
  if (page === null) {
    await capture.flush(null);
    return;
  }
  const { metadata } = page.reading.document;
  const { statusCode: status = null, title = "", contentType = "", url: finalUrl = url } = metadata;
  const mime = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const at = capture.atOf(finalUrl) ?? capture.atOf(bareUrl(url));
  const bytes = page.reading.receivedBytes;
  const isKept = await capture.flush({ pageId: id, url: bareUrl(url), status, mime, title: oneLine(title), bytes });
  if (!isKept || at === null) return;
  page.details.facts = Object.assign({}, page.details.facts, { archiveId: capture.archiveId, archivedAt: isoTime(at) });
}

function oneLine(title: string | readonly string[]): string {
  return [title].flat().join(" ").slice(0, 1000);
}

type FileRequest = Pick<SentPage["request"], "id" | "payer" | "options" | "plan"> & Pick<SentPage, "file" | "onPage">;

export type ObtainFile = (request: FileRequest, signal: AbortSignal) => Promise<ObtainedPage | ObtainFailure>;

/** Of a file that the caller sent. */
export function createFileObtainer({ file: stages }: Pick<PageStages, "file">): ObtainFile {
  return async ({ id, payer, options, plan, file, onPage }, signal) => {
    if (file.bytes.byteLength === 0) return { ok: false, code: "PARSE_FILE_EMPTY" };
    const trace = createTrace();
    const made = await stages.run({ request: { id, payer, options, plan }, file, onPage, signal, trace });
    if (!("ok" in made)) return made.obtained;
    return { ...made, steps: trace.steps };
  };
}
