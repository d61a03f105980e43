export { createDashboardFiles } from "./page-files.ts";
