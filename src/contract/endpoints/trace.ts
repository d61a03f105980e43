// The steps of a job.
import * as z from "zod";
import { trace } from "../fields/document.ts";
import { idParams, success } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

export const traceEndpoints = [
  endpoint({
    method: "GET",
    path: "/v2/jobs/{id}/trace",
    tag: "Other",
    summary: "Get the steps of a job that was started with trace",
    operation: "readTrace",
    params: idParams,
    response: z.object({ success, trace }),
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
];
