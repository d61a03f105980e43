// Status of a v1 crawl or batch: the same as v2, with v1 documents and links.
import * as z from "zod";
import { idParams, pageQuery } from "../fields/common-fields.ts";
import { jobCancelled, jobErrors, jobMessage, jobStatus } from "../fields/job.ts";
import { section } from "../table/endpoint.ts";
import { fromV2Document, fromV2Link, v1Document } from "./document.ts";

export const v1JobStatus = jobStatus
  .safeExtend({ data: z.array(v1Document) })
  .meta({ id: "JobStatusV1", description: "Status of a crawl or batch scrape, with its documents" });

export function fromV2Status({ next, ...status }: z.output<typeof jobStatus>): z.output<typeof v1JobStatus> {
  return {
    ...status,
    data: status.data.map(fromV2Document),
    // v1 clients test for the key, so it must be absent on the last page.
    ...(next === undefined ? {} : { next: fromV2Link(next) }),
  };
}

export const v1JobMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("catchup"), data: v1JobStatus }),
  z.object({ type: z.literal("document"), data: v1Document }),
  ...jobMessage.options.slice(2),
]);

export function fromV2Message(message: z.output<typeof jobMessage>) {
  if (message.type === "catchup") return { ...message, data: fromV2Status(message.data) };
  if (message.type === "document") return { ...message, data: fromV2Document(message.data) };
  return message;
}

export function fromV2Started<Started extends object>(started: Started): Started {
  return "url" in started && typeof started.url === "string" ? { ...started, url: fromV2Link(started.url) } : started;
}

/** What can be asked of a crawl or a batch scrape once it is started. `readable`: what its status can be read of. */
export function v1JobEndpoints<const Path extends "/v1/crawl" | "/v1/batch/scrape", const Name extends string>(
  path: Path,
  name: Name,
  noun: string,
  readable = noun,
) {
  const group = name.toLowerCase() as "batch" | "crawl";
  const endpoint = section({ tag: name, group, rateGroup: "status", notFound: "JOB_NOT_FOUND", params: idParams });
  const listErrors = [`list${name}Errors`, `List the errors of a ${noun}`, { response: jobErrors }] as const;
  return [
    endpoint(`GET ${path}/{id}`, `read${name}`, `Get the status and documents of a ${readable}`, {
      query: pageQuery,
      response: v1JobStatus,
      toResponse: fromV2Status,
    }),
    endpoint(`DELETE ${path}/{id}`, `cancel${name}`, `Cancel a ${noun}`, { response: jobCancelled }),
    endpoint(`GET ${path}/{id}/errors`, ...listErrors),
    // An official client lists with this verb; nothing is deleted.
    endpoint(`DELETE ${path}/{id}/errors`, ...listErrors),
  ];
}
