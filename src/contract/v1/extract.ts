import { extractBodyWith, extractStarted, extractStatus } from "../endpoints/extract.ts";
import { idParams } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";
import { toV1FieldPath, v1ScrapeOptions } from "./scrape-options.ts";

export const v1ExtractEndpoints = [
  endpoint({
    method: "POST",
    path: "/v1/extract",
    tag: "Extract",
    summary: "Start extracting structured data from pages",
    operation: "startExtract",
    body: extractBodyWith(v1ScrapeOptions.prefault({}), false),
    response: extractStarted,
    rateGroup: "job",
    activity: "extract",
    toFieldPath: toV1FieldPath,
  }),
  endpoint({
    method: "GET",
    path: "/v1/extract/{id}",
    tag: "Extract",
    summary: "Get the status and result of an extract job",
    operation: "readExtract",
    params: idParams,
    response: extractStatus,
    rateGroup: "status",
    notFound: "EXTRACT_NOT_FOUND",
  }),
];
