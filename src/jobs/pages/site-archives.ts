// What sites say about themselves goes into the archive of the job that asks, or comes out of the one that it replays: robots.txt is
// read once for all pages of a job.
import type { ArchiveReplay, Archives, Capture } from "../../archive/index.ts";
import type { PageJobContext } from "./task-page.ts";

/** Jobs whose sites are remembered at the same time. */
const mostJobs = 200;

export function createSiteArchives(archives: Pick<Archives, "open">) {
  const ofJobs = new Map<string, Capture | ArchiveReplay>();
  return {
    siteArchive({ job, settings }: PageJobContext): Capture | ArchiveReplay | undefined {
      const { id: archiveId, teamId } = job;
      const known = ofJobs.get(archiveId);
      if (known) return known;
      const opened = archives.open({ ...settings, archiveId, teamId, options: settings.scrapeOptions });
      if (opened === undefined) return undefined;
      ofJobs.set(archiveId, opened);
      const [oldest] = ofJobs.keys();
      if (ofJobs.size > mostJobs && oldest !== undefined) ofJobs.delete(oldest);
      return opened;
    },

    async keepSite({ job }: PageJobContext): Promise<void> {
      const site = ofJobs.get(job.id);
      if (site?.kind === "capture") await site.flush(null);
    },
  };
}
