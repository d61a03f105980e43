// What can be asked of a crawl or a batch scrape once it is started.
import { emptyBody, idParams, pageQuery } from "../fields/common-fields.ts";
import { exportFile, exportQuery, jobCancelled, jobErrors, jobMessage, jobPaused, jobStatus } from "../fields/job.ts";
import { section } from "../table/endpoint.ts";

export function startedJobEndpoints<const Path extends "/v2/crawl" | "/v2/batch/scrape", const Name extends string>(
  path: Path,
  name: Name,
  noun: string,
) {
  const group = name.toLowerCase() as "batch" | "crawl";
  const endpoint = section({ tag: name, group, rateGroup: "status", notFound: "JOB_NOT_FOUND", params: idParams });
  return [
    endpoint(`GET ${path}/{id}`, `read${name}`, `Get the status and documents of a ${noun}`, {
      query: pageQuery,
      response: jobStatus,
    }),
    endpoint(`WS ${path}/{id}`, `watch${name}`, `Follow a ${noun}`, { response: jobMessage }),
    endpoint(`DELETE ${path}/{id}`, `cancel${name}`, `Cancel a ${noun}`, { response: jobCancelled }),
    endpoint(`GET ${path}/{id}/errors`, `list${name}Errors`, `List the errors of a ${noun}`, { response: jobErrors }),
    endpoint(
      `GET ${path}/{id}/export`,
      `export${name}`,
      `Download the documents of a ${noun} that has ended as one file`,
      {
        query: exportQuery,
        response: exportFile,
        responseType: "application/octet-stream",
        isFile: true,
      },
    ),
    endpoint(`POST ${path}/{id}/pause`, `pause${name}`, `Pause a ${noun}`, { body: emptyBody, response: jobPaused }),
    endpoint(`POST ${path}/{id}/resume`, `resume${name}`, `Resume a paused ${noun}`, {
      body: emptyBody,
      response: jobPaused,
    }),
  ];
}
