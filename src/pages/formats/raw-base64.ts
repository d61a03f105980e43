import type { PageFormat } from "./page-format.ts";

/** The bytes as received, of any type: nothing else is read from them. */
export const rawBase64: PageFormat<"rawBase64"> = {
  fromPage: ({ body }) => ({ rawBase64: body.toString("base64") }),
};
