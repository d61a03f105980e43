// Types only: what each operation of the dashboard takes and answers, derived from its rows.
import type { z } from "zod";
import type { dashboardEndpoints } from "../endpoints/dashboard.ts";

type Row = (typeof dashboardEndpoints)[number];
type Simplify<Type> = { [Key in keyof Type]: Type[Key] };
type Part<From, Key extends string> = From extends { [Name in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : unknown;
type RowOf<Name extends DashboardOperationName> = Extract<Row, { operation: Name }>;

export type DashboardOperationName = Row["operation"];

export type DashboardInput<Name extends DashboardOperationName> = Simplify<
  Part<RowOf<Name>, "query"> & Part<RowOf<Name>, "body"> & Part<RowOf<Name>, "params">
>;

export type DashboardOutput<Name extends DashboardOperationName> =
  RowOf<Name> extends { response: infer Schema extends z.ZodType } ? z.output<Schema> : never;

/** One function for each row. */
export type DashboardOperations<Caller> = {
  [Name in DashboardOperationName]: (input: DashboardInput<Name>, caller: Caller) => Promise<DashboardOutput<Name>>;
};
