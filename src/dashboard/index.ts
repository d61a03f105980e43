export { createDashboardFiles } from "./serving/dashboard-files.ts";
