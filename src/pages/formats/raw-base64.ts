import type { FormatRow } from "./format-row.ts";

/** The bytes as received, of any type: nothing else is read from them. */
export const rawBase64: FormatRow<"rawBase64"> = {
  source: "bytes",
  field: "rawBase64",
  fromPage: ({ body }) => ({ rawBase64: body.toString("base64") }),
};
