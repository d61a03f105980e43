// Tables: head, rows, and the text shown while there are no rows.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CallError } from "../api/call.ts";
import { ActionButton } from "./form-parts.tsx";
import { Loaded } from "./states.tsx";

interface Column<Row> {
  /** Of buttons: what a screen reader calls their column. */
  name: string;
  /** `actions`: buttons, at the end of the row. */
  kind?: "number" | "mono" | "faint" | "actions";
  cell(row: Row): ReactNode;
}

/** One button at the end of each row, and none where `isFor` says no. */
interface ActionColumn<Row> {
  action: string;
  onClick(row: Row): void;
  isDangerous?: boolean;
  isFor?(row: Row): boolean;
}

function cellsOf<Row>(column: Column<Row> | ActionColumn<Row>): Column<Row> {
  if (!("action" in column)) return column;
  const { action, onClick, isDangerous = false, isFor = () => true } = column;
  const button = (row: Row) => (
    <ActionButton kind={isDangerous ? "small danger" : "small"} onClick={() => onClick(row)}>
      {action}
    </ActionButton>
  );
  return { name: "Actions", kind: "actions", cell: (row) => (isFor(row) ? button(row) : null) };
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf(row: Row, place: number): string | number;
  columns: readonly (Column<Row> | ActionColumn<Row>)[];
  /** Without the row of names, where every column speaks for itself. */
  isBare?: boolean;
}

const cellClass = { number: "number", mono: "mono", faint: "faint", actions: "end" } as const;

export function Table<Row>({ rows, keyOf, columns: given, isBare = false }: TableProps<Row>) {
  const columns = given.map(cellsOf);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where there is little room, so keys must reach it
    <div className="table-wrap" tabIndex={0}>
      <table className="table">
        {isBare ? null : (
          <thead>
            <tr>
              {columns.map(({ name, kind }) => (
                <th key={name} scope="col" className={kind === "number" ? "number" : undefined}>
                  {kind === "actions" ? <span className="visually-hidden">{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, place) => (
            <tr key={keyOf(row, place)}>
              {columns.map(({ name, kind, cell }) => (
                <td key={name} className={kind ? cellClass[kind] : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ListedProps<Data, Row> extends Omit<TableProps<Row>, "rows"> {
  of: UseQueryResult<Data, CallError>;
  rows(data: Data): readonly Row[];
  /** Shown when there is no row. */
  empty: ReactNode;
}

/** A table of what the server answers, with its states. */
export function Listed<Data, Row>({ of, rows, empty, ...table }: ListedProps<Data, Row>) {
  return (
    <Loaded of={of}>
      {(data) => {
        const list = rows(data);
        return list.length === 0 ? empty : <Table rows={list} {...table} />;
      }}
    </Loaded>
  );
}
