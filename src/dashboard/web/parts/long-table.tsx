// biome-ignore-all lint/a11y: rows are placed one by one, which the elements of a table do not allow, so roles say what they are
// A table of any length: only the rows in view are there.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type ReactNode, useRef } from "react";

export interface LongColumn<Row> {
  name: string;
  /** As CSS grids have it. */
  width: string;
  isFaint?: boolean;
  /** Left out on narrow screens. */
  isWide?: boolean;
  isNumber?: boolean;
  cell(row: Row): ReactNode;
}

interface LongTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  columns: readonly LongColumn<Row>[];
}

const rowHeight = 38;

const widthsOf = (columns: readonly { width: string }[]) => columns.map(({ width }) => width).join(" ");

export function LongTable<Row>({ label, rows, keyOf, columns }: LongTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const grid = {
    "--columns": widthsOf(columns),
    "--narrow-columns": widthsOf(columns.filter(({ isWide = false }) => !isWide)),
  } as CSSProperties;
  const classOf = ({ isFaint = false, isWide = false, isNumber = false }: LongColumn<Row>) =>
    ["cut", isFaint ? "faint" : "", isWide ? "wide" : "", isNumber ? "number" : ""].filter(Boolean).join(" ");
  return (
    <div className="long" role="table" aria-label={label} aria-rowcount={rows.length + 1} style={grid}>
      <div role="rowgroup">
        <div role="row" className="long-row long-head">
          {columns.map((column) => (
            <span key={column.name} role="columnheader" className={classOf({ ...column, isFaint: false })}>
              {column.name}
            </span>
          ))}
        </div>
      </div>
      <div className="long-rows" role="rowgroup" ref={box} tabIndex={0}>
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as Row;
            const place = { height: rowHeight, transform: `translateY(${start}px)` };
            return (
              <div key={keyOf(row)} role="row" aria-rowindex={index + 2} className="long-row placed" style={place}>
                {columns.map((column) => (
                  <span key={column.name} role="cell" className={classOf(column)}>
                    {column.cell(row)}
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
