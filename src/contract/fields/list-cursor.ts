// Lists that are read page by page, each from where the one before ended.
import * as z from "zod";
import { queryInteger } from "./common-fields.ts";

const maxCursorLength = 1024;
const cursor = z
  .string()
  .superRefine((text, context) => {
    if (text.length >= 1 && text.length <= maxCursorLength) return;
    context.addIssue({
      code: "custom",
      message: "Invalid cursor. Send the cursor of the previous page unchanged, or none for the first page.",
      params: { code: "INVALID_CURSOR" },
    });
  })
  // Checked above, where the failure gets its own code.
  .meta({ minLength: 1, maxLength: maxCursorLength });

/** Which page of a list is wanted. */
export const cursorQuery = {
  limit: queryInteger(z.int().min(1).max(100)).prefault(50).describe("Entries per page"),
  cursor: cursor.optional().describe("Cursor returned with the previous page"),
};

export const cursorEnd = {
  cursor: z.string().nullable().describe("Cursor of the next page; null on the last page"),
  has_more: z.boolean().describe("Whether there is a next page"),
};
