import type { FormatRow } from "./format-row.ts";

/** Not made by this version; clients that always send it still get their other outputs. */
export const audio: FormatRow<"audio"> = { source: "leftOut", field: "audio" };
