// Adds what keys are limited to, policies of teams, the audit log, and people of an identity provider.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/store-engine.ts";
import { policyChanges, policyTables } from "../schema/policy-tables.ts";
import { createTables } from "./0001-baseline.ts";

export function addPolicies(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const all = [...createTables(policyTables, types), ...policyChanges, ...types.auditTriggers];
      for (const each of all) await sql.raw(each).execute(db);
    },
  };
}
