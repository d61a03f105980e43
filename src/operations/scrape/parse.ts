// One file for one caller: read it, write its charge and its line in the activity list, answer. Nothing of it is cached.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { OperationInput, ParseTerms } from "../../contract/index.ts";
import { type FileKind, fileKindRow, fileKinds, isReadable } from "../../documents/index.ts";
import { type ObtainFailure, pagePrice, planOutputs } from "../../pages/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";
import { createScrapeRunner, type ScrapeAnswer } from "./scrape-rows.ts";
import type { Uploads } from "./uploads.ts";

/** Told of each page of the file that was read. */
type PageListener = (page: number, total: number) => void;

export function createParseOperations(parts: OperationParts, uploads: Uploads) {
  const { credits, extraction, model, obtainFile } = parts;
  const run = createScrapeRunner(parts);

  return {
    async parse(
      input: OperationInput<"parse"> & ParseTerms,
      caller: Caller,
      signal: AbortSignal,
      onPage?: PageListener,
    ): Promise<ScrapeAnswer> {
      const { scrapeOptions: options, source } = input;
      const plan = planOutputs(options, model?.name);
      await checkFormatSchemas(extraction, options);
      const { teamId } = caller;
      await credits.require(teamId, pagePrice(options));
      const file = "file" in source ? source.file : await uploads.find(teamId, source.uploadRef);
      return run(input, caller, file.filename, async (id, payer) => {
        const obtained = await obtainFile({ id, payer, file, options, plan, onPage }, signal);
        return obtained.ok ? obtained : ofCaller(obtained);
      }).catch(throwAsCallers);
    },

    createUpload: uploads.create,
    receiveUpload: uploads.receive,

    async listParseFormats() {
      const formats = (Object.keys(fileKinds) as FileKind[]).map((format) => {
        const { kind, extensions, mimeTypes } = fileKindRow(format);
        const dotted = extensions.map((extension) => `.${extension}`);
        return { format, kind, extensions: dotted, mimeTypes: [...mimeTypes], available: isReadable(format) };
      });
      return { success: true, data: { formats } };
    },
  } satisfies ServedOperations;
}

/** A kind of page that cannot be read is a kind of file that cannot be sent. */
function ofCaller(failure: ObtainFailure): ObtainFailure {
  const isKind = failure.code === "SCRAPE_UNSUPPORTED_FILE_ERROR";
  return isKind ? { ...failure, code: "UNSUPPORTED_FILE_TYPE" } : failure;
}

/** The caller sent the file: what is wrong with it is a bad request. */
function throwAsCallers(error: unknown): never {
  if (!(error instanceof ServiceError) || !/^PARSE_/.test(error.code)) throw error;
  throw new ServiceError(error.code, error.message, { details: error.details, status: 400 });
}
