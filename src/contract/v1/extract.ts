import { extractBodyWith, extractStarted, extractStatus } from "../endpoints/extract.ts";
import { idParams } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { toV1FieldPath, v1ScrapeOptions } from "./scrape-options.ts";

const endpoint = section({ tag: "Extract", group: "extract", rateGroup: "job" });

export const v1ExtractEndpoints = [
  endpoint("POST /v1/extract", "startExtract", "Start extracting structured data from pages", {
    body: extractBodyWith(v1ScrapeOptions.prefault({}), false),
    response: extractStarted,
    activity: "extract",
    toFieldPath: toV1FieldPath,
  }),
  endpoint("GET /v1/extract/{id}", "readExtract", "Get the status and result of an extract job", {
    params: idParams,
    response: extractStatus,
    rateGroup: "status",
    notFound: "EXTRACT_NOT_FOUND",
  }),
];
