// How PostgreSQL finds what every page asks for in tables of a million rows each, whole and in parts: by indexes alone.
import { proveTests } from "../vitest-report.mjs";

export const prove = () => proveTests("plans", { "a million rows": ["test/store/plans.test.ts"] });
