// The place in a list from which its next page goes on, as callers hand it back to us.
import { ServiceError } from "./errors.ts";
import { isUuid } from "./ids.ts";

/** The last row of a page: later pages hold only rows before it, whatever is written meanwhile. */
export interface ListPlace {
  createdAt: number;
  rowId: string;
}

function writeCursor({ createdAt, rowId }: ListPlace): string {
  return Buffer.from(`${createdAt}:${rowId}`).toString("base64url");
}

export function readCursor(cursor: string): ListPlace {
  const [time = "", rowId = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(":");
  if (!/^\d{1,15}$/.test(time) || !isUuid(rowId)) {
    throw new ServiceError("INVALID_CURSOR", undefined, {
      details: [{ code: "invalid_value", path: ["cursor"], message: "Must be the cursor of a previous response" }],
    });
  }
  return { createdAt: Number(time), rowId };
}

/** One page of rows, of which one more than its limit was asked for. */
export function cutPage<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => ListPlace) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return { page, cursor: hasMore && last !== undefined ? writeCursor(placeOf(last)) : null, hasMore };
}
