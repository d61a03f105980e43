// Builds the room: what a site says about itself, and the URLs that it names.
import type { Clock } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import type { Pages } from "../../pages/index.ts";
import type { Reach } from "../../reach/index.ts";
import type { Store } from "../../store/index.ts";
import { createSiteReader } from "../sitemaps/site-reader.ts";
import { createSiteUrlFinder } from "../urls/find-site-urls.ts";
import { createStartPageReader } from "../urls/start-page.ts";

export interface SiteDeps {
  store: Store;
  clock: Clock;
  net: Net;
  reach: Reach;
  pages: Pick<Pages, "obtainPage" | "readCopy">;
}

export type Site = ReturnType<typeof createSite>;

/** `isShared`: whether copies made for one team may serve another. */
export function createSite({ store, clock, net, reach, pages }: SiteDeps, { isShared }: { isShared: boolean }) {
  const { readRules, robots } = reach;
  const { obtainPage, readCopy } = pages;
  const sites = createSiteReader(
    { store, clock, fetch: net.fetch, readRules, readCopy, targets: reach.targets },
    { isShared },
  );
  const readStartPage = createStartPageReader({ obtainPage, clock });
  return { sites, findSiteUrls: createSiteUrlFinder({ store, sites, robots, readStartPage }) };
}
