// The steps of a job.
import * as z from "zod";
import { idParams, success } from "../fields/common-fields.ts";
import { trace } from "../fields/document.ts";
import { section } from "../table/endpoint.ts";

const endpoint = section({ tag: "Other", group: "team", rateGroup: "status" });

export const traceEndpoints = [
  endpoint("GET /v2/jobs/{id}/trace", "readTrace", "Get the steps of a job that was started with trace", {
    params: idParams,
    response: z.object({ success, trace }),
    notFound: "JOB_NOT_FOUND",
  }),
];
