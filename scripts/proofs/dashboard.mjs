// Every page of the dashboard in light and in dark, wide and narrow; a run of the tests walks wide in light, and narrow in dark.

import { proveTests } from "../vitest-report.mjs";

export function prove() {
  return proveTests("dashboard", { "pages of the dashboard": ["test/e2e/dashboard-sections.test.ts"] });
}
