// axe in every section of the dashboard: light and dark, wide and narrow.
import { proveTests } from "../vitest-report.mjs";

export const prove = () => proveTests("dashboard", { "every section": ["test/e2e/dashboard-sections.test.ts"] });
