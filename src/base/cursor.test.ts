import { describe, expect, it } from "vitest";
import { cutPage, type ListPlace, readCursor } from "./cursor.ts";
import { newId } from "./ids.ts";

const rows = Array.from({ length: 7 }, (_, index) => ({ createdAt: 1_700_000_000_000 - index, rowId: newId(), index }));

/** As a store does it: one row more than the page holds, those after the place. */
function readAll(limit: number): number[][] {
  const pages: number[][] = [];
  let cursor: string | null = null;
  for (;;) {
    const place: ListPlace | null = cursor === null ? null : readCursor(cursor);
    const from = place === null ? 0 : rows.findIndex(({ rowId }) => rowId === place.rowId) + 1;
    const found: ReturnType<typeof cutPage<(typeof rows)[number]>> = cutPage(
      rows.slice(from, from + limit + 1),
      limit,
      (row) => row,
    );
    pages.push(found.page.map(({ index }) => index));
    expect(found.hasMore).toBe(found.cursor !== null);
    if (found.cursor === null) return pages;
    cursor = found.cursor;
  }
}

describe("a list in pages", () => {
  it.each([
    [1, [[0], [1], [2], [3], [4], [5], [6]]],
    [3, [[0, 1, 2], [3, 4, 5], [6]]],
    [6, [[0, 1, 2, 3, 4, 5], [6]]],
    [7, [[0, 1, 2, 3, 4, 5, 6]]],
    [8, [[0, 1, 2, 3, 4, 5, 6]]],
  ])("of %d rows shows every row once, and no page after the last", (limit, pages) => {
    expect(readAll(limit)).toEqual(pages);
  });

  it("without rows is one empty page", () => {
    expect(cutPage([], 5, () => ({ createdAt: 0, rowId: "" }))).toEqual({ page: [], cursor: null, hasMore: false });
  });

  it.each(["", "x", Buffer.from("1:2").toString("base64url"), Buffer.from(`-1:${newId()}`).toString("base64url")])(
    "refuses %j, which is no cursor",
    (cursor) => {
      expect(() => readCursor(cursor)).toThrow(expect.objectContaining({ code: "INVALID_CURSOR" }));
    },
  );
});
