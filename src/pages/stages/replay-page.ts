// A page out of an archive: as it came over HTTP, as a browser had made it, or rendered again with every request answered from the
// archive.
import type { ArchiveReplay } from "../../archive/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import type { Reach } from "../../reach/index.ts";
import { browserTasks, outputNeeds } from "../formats/formats.ts";
import type { PageFailure } from "../record/page-reading.ts";
import type { ReadingWork } from "./entered-page.ts";

export interface ReplayedPage {
  ok: true;
  page: Page | RenderedPage;
  warnings: string[];
}

const noCopy = "Scripts fill in this page, and the archive has no rendered copy of it";

export function createReplayPages({ fetcher }: Pick<Reach, "fetcher">) {
  return async (work: ReadingWork, replay: ArchiveReplay): Promise<ReplayedPage | PageFailure> => {
    const { request, signal, endsAt, trace } = work;
    const { teamId, url, options: asked, mayFollow } = request;
    // What says how a site is connected to has no effect.
    const { profile: _, proxyUrl: __, ...others } = asked;
    const options = { ...others, headers: {}, proxy: "basic" as const };
    const needs = outputNeeds(options.formats);
    const wanted = {
      teamId,
      url,
      options,
      needs,
      mayFollow,
      archive: replay,
      tasks: () => browserTasks(asked.formats),
    };
    const how = { ...wanted, reason: "out of the archive", cookies: [], wantsCookies: false, signal, endsAt };
    const fetched = await fetcher.fetchAttempt({ ...how, attempt: { engine: "http", tier: "basic" } }, trace);
    if (!fetched.ok) return fetched;
    const { page, warnings } = fetched;
    const dom = needs.isRaw ? null : await replay.readDom(url);
    const { waitFor = 0, mobile = false, url: finalUrl = page.finalUrl } = dom?.metadata ?? {};
    const isAsCaptured = dom !== null && waitFor === options.waitFor && mobile === options.mobile;
    const needsOnlyDom = isAsCaptured && options.actions.length === 0 && needs.browser.length === 0;
    const { choice } = fetcher.plan(wanted);
    if (choice.engine === "browser" && !needsOnlyDom) {
      const rendered = await fetcher.fetchAttempt({ ...how, attempt: { engine: "browser", tier: "basic" } }, trace);
      if (!rendered.ok || !("missing" in rendered.page) || !rendered.page.missing) return rendered;
      const { missing } = rendered.page;
      return {
        ...rendered,
        warnings: [...rendered.warnings, `The archive lacks ${missing} of the files that the page asks for.`],
      };
    }
    if (dom === null) {
      const isShell = "unfilled" in page && Boolean(page.unfilled);
      return { ok: true, page, warnings: isShell ? [...warnings, `${noCopy}.`] : warnings };
    }
    const made = {
      body: dom.html,
      contentType: "text/html; charset=utf-8",
      engine: "browser" as const,
      unfilled: null,
    };
    return { ok: true, page: Object.assign({}, page, made, { finalUrl }), warnings };
  };
}
