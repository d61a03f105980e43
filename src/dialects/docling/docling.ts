// docling-serve's API: files and URLs to markdown, HTML and text.
import * as z from "zod";
import { isUuid, ServiceError } from "../../base/index.ts";
import { badField, type Fault } from "../frame/cause.ts";
import {
  below,
  type Dialect,
  type DialectAnswer,
  type DialectCall,
  type DialectRequest,
  dialectRow,
  unservedRow,
} from "../frame/dialect.ts";
import { convert, type Source, type TaskNote, toAnswer } from "./convert.ts";
import { conversionFields, conversionOptions, readConversion } from "./options.ts";

const httpSource = z.strictObject({
  kind: z.literal("http").default("http").describe("http"),
  url: z.string().min(1).max(8192).describe("URL of the file or page"),
  headers: z.record(z.string(), z.string()).default({}).describe("Headers to send"),
});
const fileSource = z.strictObject({
  kind: z.literal("file").default("file").describe("file"),
  base64_string: z.string().describe("The file in base64"),
  filename: z.string().max(1024).describe("Name of the file"),
});

const target = z.strictObject({ kind: z.string().max(50).default("inbody").describe("Only inbody") });
const fileRequest = z.strictObject({
  ...conversionFields,
  target_type: z.string().max(50).default("inbody").describe("Only inbody"),
});
const sourceRequest = z.strictObject({
  options: conversionOptions.prefault({}).describe("How to convert"),
  sources: z
    .array(z.union([httpSource, fileSource]))
    .max(10)
    .default([])
    .describe("Exactly one source"),
  http_sources: z.array(httpSource).max(10).default([]).describe("The older form of sources"),
  file_sources: z.array(fileSource).max(10).default([]).describe("The older form of sources"),
  target: target.prefault({}).describe("Where the result goes"),
});

const response = z.object({
  document: z.object({
    filename: z.string(),
    md_content: z.string().nullable(),
    html_content: z.string().nullable(),
    text_content: z.string().nullable(),
    json_content: z.null(),
    doctags_content: z.null(),
  }),
  status: z.enum(["success", "partial_success"]),
  errors: z.array(z.object({ component_type: z.string(), module_name: z.string(), error_message: z.string() })),
  processing_time: z.number(),
  timings: z.object({}),
});
const task = z.object({
  task_id: z.string().describe("Id of the conversion: also known to GET /v2/scrape/{id}"),
  task_type: z.literal("convert"),
  task_status: z.literal("success"),
  task_position: z.null(),
  task_meta: z.null(),
  error_message: z.null(),
});

function requireInbody(field: string, kind: string): void {
  if (kind !== "inbody") throw badField(field, "Only inbody is served");
}

type SourceFields = z.output<typeof sourceRequest>;

function sourceOf({ sources, http_sources: http, file_sources: files, target: to }: SourceFields): Source {
  requireInbody("target", to.kind);
  const all = [...sources, ...http, ...files];
  const [only] = all;
  const at = [sources.length > 0 ? "sources" : "http_sources", 0, "url"];
  if (only === undefined || all.length !== 1) throw badField("sources", "takes exactly one source");
  if ("url" in only) return { url: only.url, headers: only.headers, at };
  const bytes = Buffer.from(only.base64_string.replace(/^data:[^,]{0,200},/, ""), "base64");
  return { file: { filename: only.filename, contentType: "", bytes } };
}

/** The work is done before the first answer: a task that has succeeded. */
function taskOf(id: string): DialectAnswer {
  const body = {
    task_id: id,
    task_type: "convert",
    task_status: "success",
    task_position: null,
    task_meta: null,
    error_message: null,
  };
  return { body };
}

function noTask(): ServiceError {
  return new ServiceError("JOB_NOT_FOUND", "Task not found.");
}

async function readTask(id: string, { operations, caller }: DialectCall): Promise<TaskNote> {
  const note = isUuid(id) ? await operations.readScrapeNote({ id }, caller) : null;
  if (note === null) throw noTask();
  return JSON.parse(note);
}

async function answerResult(id: string, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const { filename, fields } = await readTask(id, call);
  const { data: document } = await call.operations.readScrape({ id }, call.caller, call.signal);
  if (!document) throw noTask();
  return toAnswer({ document, filename, conversion: readConversion(fields), startedAt }, fields, call);
}

const status = z.object({ status: z.string() });
const notServed = "This server implements only single-file and single-source conversions of docling-serve.";

async function convertFile(
  fields: z.output<typeof fileRequest>,
  { file, fileCount }: Pick<DialectRequest<unknown>, "file" | "fileCount">,
  call: DialectCall,
  { isTask = false } = {},
) {
  const { target_type: kind, ...options } = fields;
  requireInbody("target_type", kind);
  if (file === null || fileCount !== 1) throw badField("files", "takes exactly one file");
  return { converted: await convert({ file }, options, call, { isTask }), options };
}

export const docling: Dialect = {
  name: "docling",
  tag: "docling",
  group: "parse",
  owns: below("/docling"),
  statuses: { badRequest: 422 },
  rows: [
    dialectRow("POST /docling/v1/convert/file", "doclingConvertFile", "Convert a file, as docling-serve does", {
      takes: "form",
      request: fileRequest,
      response,
      async answer({ fields, ...sent }, call) {
        const { converted, options } = await convertFile(fields, sent, call);
        return toAnswer(converted, options, call, { rangeName: "page_range" });
      },
    }),
    dialectRow(
      "POST /docling/v1/convert/file/async",
      "doclingConvertFileAsync",
      "Convert a file as a task, which has ended when it is answered",
      {
        takes: "form",
        request: fileRequest,
        response: task,
        async answer({ fields, ...sent }, call) {
          const { converted } = await convertFile(fields, sent, call, { isTask: true });
          return taskOf(converted.document.metadata.scrapeId ?? "");
        },
      },
    ),
    dialectRow(
      "POST /docling/v1/convert/source",
      "doclingConvertSource",
      "Convert a URL or a file in base64, as docling-serve does",
      {
        request: sourceRequest,
        response,
        async answer({ fields }, call) {
          const converted = await convert(sourceOf(fields), fields.options, call, { at: ["options"] });
          return toAnswer(converted, fields.options, call, { rangeName: "options.page_range" });
        },
      },
    ),
    dialectRow(
      "POST /docling/v1/convert/source/async",
      "doclingConvertSourceAsync",
      "Convert a URL or a file in base64 as a task, which has ended when it is answered",
      {
        request: sourceRequest,
        response: task,
        async answer({ fields }, call) {
          const { document } = await convert(sourceOf(fields), fields.options, call, { isTask: true, at: ["options"] });
          return taskOf(document.metadata.scrapeId ?? "");
        },
      },
    ),
    dialectRow("GET /docling/v1/status/poll/{id+}", "doclingPoll", "Status of a task", {
      rateGroup: "status",
      request: z.strictObject({ wait: z.unknown().optional().describe("Accepted without effect: no task is running") }),
      response: task,
      async answer({ rest }, call) {
        await readTask(rest, call);
        return taskOf(rest);
      },
    }),
    dialectRow(
      "GET /docling/v1/result/{id+}",
      "doclingResult",
      "Result of a task, as a conversion that is waited for",
      { rateGroup: "status", response, answer: ({ rest }, call) => answerResult(rest, call) },
    ),
    dialectRow("GET /docling/health /docling/ready", "doclingHealth", "Whether the server answers", {
      response: status,
      answer: async () => ({ body: { status: "ok" } }),
      rateGroup: null,
    }),
    dialectRow("GET /docling/version", "doclingVersion", "Version of the API", {
      response: z.record(z.string(), z.string()),
      answer: async () => ({ body: { "docling-serve": "1.31.0", trawl: "1" } }),
      rateGroup: null,
    }),
    unservedRow("GET /docling/v1/{rest+}", "readOtherDocling", notServed),
    unservedRow("POST /docling/v1/{rest+}", "otherDocling", notServed, ["PUT", "PATCH", "DELETE"]),
  ],
  failure: doclingFailure,
  failureSchema: z.object({
    detail: z.union([
      z.string(),
      z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
    ]),
  }),
};

/** Every wrong field, where fields are wrong. */
function doclingFailure({ issues, message }: Fault): object {
  if (issues.length === 0) return { detail: message };
  return { detail: issues.map(({ path, message: msg }) => ({ loc: ["body", ...path], msg, type: "value_error" })) };
}
