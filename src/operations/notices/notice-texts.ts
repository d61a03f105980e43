// What a notice says, made when it is sent: of a job, of this server, or for a test. Monitors write theirs themselves.
import { ServiceError } from "../../base/index.ts";
import type { Notice } from "../../notices/index.ts";
import type { Store } from "../../store/index.ts";
import type { NoticeWriter, ToldNotice } from "../parts/notice-parts.ts";

/** Pages whose errors are named. */
const namedErrors = 3;
const noNotice = { change: "", name: "", status: "", error: "", url: "", link: "" };

type JobStore = Pick<Store, "jobs" | "jobResults">;

export function createNoticeWriter(store: JobStore, writeOfMonitor: NoticeWriter): NoticeWriter {
  return async (told, teamId, baseUrl) => {
    const { kind, facts, at } = told;
    switch (kind) {
      case "test": {
        const text = "This is a test notice of Trawl. The channel works.";
        return { ...noNotice, at, level: "info", title: "Test notice", text, name: "Trawl", link: baseUrl };
      }
      case "job.failed":
        return writeOfJob(store, String(facts.jobId), teamId, at, baseUrl);
      case "server.trouble":
      case "server.recovered":
        return writeOfServer(told, baseUrl);
      default:
        return writeOfMonitor(told, teamId, baseUrl);
    }
  };
}

async function writeOfJob(
  store: JobStore,
  jobId: string,
  teamId: string,
  at: number,
  baseUrl: string,
): Promise<Notice | null> {
  const job = await store.jobs.read(jobId);
  if (job?.teamId !== teamId) return null;
  const what = job.kind === "batch" ? "Batch" : "Crawl";
  const errors = await store.jobResults.listErrors(jobId, namedErrors);
  const causes = errors.map(({ url, message }) => `${url}: ${message}`);
  const error = job.error ?? job.warning ?? errors[0]?.message ?? "";
  const pages = `${countOf(job.completed)} read, ${job.failed} failed.`;
  return {
    ...noNotice,
    ...{ at, level: "trouble", status: job.status, error, url: job.scopeUrl },
    title: `${what} ${job.status === "failed" || job.completed === 0 ? "failed" : "stopped"}: ${job.scopeUrl || jobId}`,
    text: [job.error ?? job.warning, pages, ...causes, `Job ${jobId}`].filter(Boolean).join("\n"),
    name: `${what} ${jobId}`,
    link: `${baseUrl}/dashboard/activity/${job.kind === "batch" ? "batch_scrape" : job.kind}/${jobId}`,
  };
}

function countOf(pages: number): string {
  return pages === 1 ? "1 page was" : `${pages} pages were`;
}

function writeOfServer({ kind, facts, at }: ToldNotice, baseUrl: string): Notice {
  const [subject, message, fix] = [facts.subject, facts.message, facts.fix].map((value) => String(value ?? ""));
  const about = { ...noNotice, at, name: subject ?? "", link: `${baseUrl}/dashboard/overview` };
  if (kind === "server.recovered") {
    const since = `It had this fault since ${new Date(Number(facts.since)).toISOString()}: ${message}`;
    return {
      ...about,
      level: "recovered",
      status: "recovered",
      title: `${subject} of the server works again`,
      text: since,
    };
  }
  const text = [message, fix].filter(Boolean).join("\n");
  return {
    ...about,
    level: "trouble",
    status: "trouble",
    title: `${subject} of the server has a fault`,
    text,
    error: message ?? "",
  };
}

/** Reads what the outbox holds of a message. */
export function readTold(notice: string): { recipient?: string; notices: ToldNotice[] } {
  const told = JSON.parse(notice) as { recipient?: string; notices?: ToldNotice[] };
  if (!Array.isArray(told.notices)) throw new ServiceError("INTERNAL_ERROR", "A notice in the outbox cannot be read.");
  return { ...told, notices: told.notices };
}
