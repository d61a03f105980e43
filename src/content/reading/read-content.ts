// Bytes of one page -> the requested outputs. Pure: one parsed tree, no network, clock, disk or setting.
import { decodeBytes } from "../../detection/index.ts";
import { binaryReason, kindOf } from "../bytes/kind.ts";
import type { ContentRequest, ContentResult } from "./content-request.ts";
import { type ContentTools, readHtmlPage } from "./html-stages.ts";
import { readText } from "./read-text.ts";

/** Reads one page. Never throws for what a page contains. */
export function readContent<Input = never, Finding = unknown>(
  request: ContentRequest<Input>,
  tools: ContentTools<Input, Finding>,
): ContentResult<Finding> {
  const reason = binaryReason(request.bytes, request.contentType);
  if (reason !== null) return { unsupported: true, reason };
  const { text, charset } = decodeBytes(request.bytes, request);
  const kind = kindOf(text, request.contentType);
  return kind === "html" ? readHtmlPage(request, text, charset, tools) : readText(request, text, kind, charset, tools);
}
