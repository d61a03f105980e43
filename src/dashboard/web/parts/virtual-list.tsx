// A long list: only the rows in view are there.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

interface VirtualListProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Widths of the columns, as CSS grids have them. */
  columns: string;
  rowHeight?: number;
  children: (row: Row) => ReactNode;
}

export function VirtualList<Row>({ label, rows, keyOf, columns, rowHeight = 42, children }: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
    // biome-ignore lint/a11y/useSemanticElements: rows are placed one by one, which a table does not allow
    <div className="virtual" ref={box} role="list" aria-label={label} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as Row;
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={keyOf(row)}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="virtual-row"
              style={{
                position: "absolute",
                insetInline: 0,
                height: rowHeight,
                transform: `translateY(${start}px)`,
                gridTemplateColumns: columns,
              }}
            >
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
