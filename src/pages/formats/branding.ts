import type { FormatRow } from "./format-row.ts";

/** Not made by this version. */
export const branding: FormatRow<"branding"> = { source: "unavailable", field: "branding" };
