// What performs the tasks of a batch: every page was named, so it leads nowhere.

import type { ActiveTask, KindOfWork, PageEnding, PageJobContext } from "../../jobs/index.ts";
import type { PageRows } from "../../pages/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openDocumentJob } from "../parts/page-context.ts";

type BatchContext = PageJobContext<"batch">;

export function createBatchWork({ model, jobs }: OperationParts): KindOfWork<"batch", BatchContext, PageRows> {
  const pages = jobs.taskPages;
  async function readPage({ task, context, signal }: ActiveTask<BatchContext, "page">): Promise<PageEnding> {
    const pausedUntil = context.settings.replay ? 0 : pages.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    const page = await pages.read({
      task,
      context,
      outlinks: false,
      sendsHeaders: true,
      robots: "named",
      signal,
    });
    if (!page.ok) return page.ending;
    return pages.end(context, { page, endKey: task.key, findings: { found: [], refused: [] } });
  }

  return {
    open: (context) => openDocumentJob(context, model),
    // The page was appended after the job was read.
    isStale: ({ job }, { key }) => Number(key) >= job.known,
    tasks: { page: readPage },
  };
}
