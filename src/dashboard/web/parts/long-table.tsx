// biome-ignore-all lint/a11y: rows are placed one by one, which the elements of a table do not allow, so roles say what they are
// A table of any length: only the rows in view are there.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

export interface LongColumn<Row> {
  name: string;
  /** As CSS grids have it. */
  width: string;
  isFaint?: boolean;
  cell(row: Row): ReactNode;
}

interface LongTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  columns: readonly LongColumn<Row>[];
}

const rowHeight = 38;

export function LongTable<Row>({ label, rows, keyOf, columns }: LongTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const gridTemplateColumns = columns.map(({ width }) => width).join(" ");
  return (
    <div className="long" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div role="row" className="long-row long-head" style={{ gridTemplateColumns }}>
          {columns.map(({ name }) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div className="long-rows" role="rowgroup" ref={box} tabIndex={0}>
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as Row;
            const place = { height: rowHeight, transform: `translateY(${start}px)`, gridTemplateColumns };
            return (
              <div key={keyOf(row)} role="row" aria-rowindex={index + 2} className="long-row placed" style={place}>
                {columns.map(({ name, isFaint, cell }) => (
                  <span key={name} role="cell" className={isFaint ? "cut faint" : "cut"}>
                    {cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
