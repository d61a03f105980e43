// Parse: an uploaded file as content, and the two-step upload. The HTTP face passes a multipart request as one
// object: the fields of its `options` part plus `file`.
import * as z from "zod";
import { location, nameField, senderKeys, success, time, uuid } from "../fields/common-fields.ts";
import { format } from "../fields/format-field.ts";
import { formats } from "../fields/formats.ts";
import { pageFields, resolveScrapeOptions, scrapeFields } from "../fields/scrape-options.ts";
import { section } from "../table/endpoint.ts";
import { scrapeResponse } from "./scrape.ts";

/** A file as the face received it. */
export interface UploadedFile {
  filename: string;
  contentType: string;
  bytes: Uint8Array;
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;
}

const maxFileBytes = 50 * 1024 * 1024;
const defaults = z.strictObject(scrapeFields).parse({});

const parseBody = z
  .strictObject({
    file: z.custom<UploadedFile>(isUploadedFile, "Must be a file").optional().describe("The file"),
    uploadRef: nameField("Reference of a file that was uploaded earlier").optional(),
    formats: z
      .array(format)
      .max(64)
      .prefault(["markdown"])
      .describe("Formats to return, except those that need a page of the web, such as screenshot"),
    onlyMainContent: pageFields.onlyMainContent,
    includeTags: pageFields.includeTags,
    excludeTags: pageFields.excludeTags,
    headers: pageFields.headers,
    parsers: pageFields.parsers,
    removeBase64Images: pageFields.removeBase64Images,
    blockAds: pageFields.blockAds,
    skipTlsVerification: pageFields.skipTlsVerification,
    redactPII: pageFields.redactPII,
    zeroDataRetention: pageFields.zeroDataRetention,
    timeout: z.int().min(1000).max(300_000).default(30_000).describe("Timeout of the whole request, in milliseconds"),
    proxy: z.enum(["basic", "auto"]).default("auto").describe("Has no effect on files"),
    maxAge: pageFields.maxAge,
    storeInCache: pageFields.storeInCache,
    trace: pageFields.trace,
    actions: z.array(z.unknown()).max(50).optional().describe("Not supported for files"),
    waitFor: pageFields.waitFor,
    location: location.optional().describe("Not supported for files"),
    mobile: pageFields.mobile,
    auditMetadata: pageFields.auditMetadata,
    domainTools: pageFields.domainTools,
    toolDetail: pageFields.toolDetail,
    safeMode: pageFields.safeMode,
    useMock: pageFields.useMock,
    agent: pageFields.agent,
    ...senderKeys,
  })
  .superRefine((body, context) => {
    const refuse = (field: string, place: number[] = [], name = field) =>
      context.addIssue({
        code: "custom",
        path: [field, ...place],
        message: `${name} cannot be used with a file`,
        params: { code: "PARSE_UNSUPPORTED_OPTIONS" },
      });
    for (const [place, { type }] of body.formats.entries())
      if (!formats[type].isForFiles) refuse("formats", [place], `The format ${type}`);
    if (body.actions !== undefined && body.actions.length > 0) refuse("actions");
    if (body.waitFor > 0) refuse("waitFor");
    if (body.location !== undefined) refuse("location");
    if (body.mobile) refuse("mobile");
  })
  .transform(({ file, uploadRef, origin, integration, actions: _, location: __, ...options }, context) => {
    const source = file !== undefined ? { file } : uploadRef !== undefined ? { uploadRef } : undefined;
    if (source === undefined) {
      context.issues.push({ code: "custom", input: file, path: ["file"], message: "Required: a file or uploadRef" });
      return z.NEVER;
    }
    return { source, scrapeOptions: resolveScrapeOptions({ ...defaults, ...options }), origin, integration };
  });

const uploadUrlBody = z.strictObject({
  filename: z.string().min(1).max(1024).describe("Name of the file"),
  contentType: z.string().min(1).max(256).optional().describe("Media type of the file"),
  declaredSizeBytes: z.int().min(0).max(maxFileBytes).optional().describe("Size of the file"),
  ...senderKeys,
});
const uploadUrlResponse = z.object({
  success,
  data: z.object({
    uploadUrl: z.string().describe("URL to PUT the file to"),
    uploadRef: z.string().describe("Reference to send in the parse request"),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()),
    fields: z.record(z.string(), z.string()).optional(),
    expiresAt: time,
    maxSizeBytes: z.int(),
  }),
});

const formatsResponse = z.object({
  success,
  data: z.object({
    formats: z.array(
      z.object({
        format: z.string(),
        kind: z.enum(["document", "image"]),
        extensions: z.array(z.string()),
        mimeTypes: z.array(z.string()),
        available: z.boolean().describe("Whether this server reads such files"),
      }),
    ),
  }),
});

const endpoint = section({ tag: "Parse", group: "parse", rateGroup: "scrape" });

export const parseEndpoints = [
  endpoint("GET /v2/parse/formats", "listParseFormats", "List the kinds of files that are read", {
    response: formatsResponse,
    responseHeaders: {
      "Cache-Control": { description: "How long the list may be kept", read: () => "private, max-age=3600" },
    },
    otherMethods: "METHOD_NOT_ALLOWED",
    rateGroup: "status",
  }),
  endpoint("POST /v2/parse", "parse", "Convert a file to markdown or other formats", {
    body: parseBody,
    bodyKind: "multipart",
    response: scrapeResponse,
    activity: "scrape",
    hasAgentHints: true,
  }),
  endpoint("POST /v2/parse/upload-url", "createUpload", "Get a URL for uploading a file", {
    body: uploadUrlBody,
    response: uploadUrlResponse,
  }),
  endpoint("PUT /v2/parse/upload/{uploadId}", "receiveUpload", "Upload a file", {
    params: z.strictObject({ uploadId: uuid.describe("Id of the upload") }),
    body: z.strictObject({ bytes: z.instanceof(Uint8Array, { error: "Must be a file" }).describe("The file") }),
    bodyKind: "raw",
    response: z.object({ success }),
    rateGroup: null,
    notFound: "UPLOAD_NOT_FOUND",
  }),
];
