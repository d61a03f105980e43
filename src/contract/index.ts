export type {
  DashboardInput,
  DashboardOperationName,
  DashboardOperations,
  DashboardOutput,
} from "./dashboard-operations.ts";
export { dashboardEndpoints } from "./endpoints/dashboard.ts";
export { sessionCookieName } from "./endpoints/dashboard-people.ts";
export type { UploadedFile } from "./endpoints/parse.ts";
export { endpoints } from "./endpoints.ts";
export type { Action } from "./fields/actions.ts";
export { describeFormats } from "./fields/describe-formats.ts";
export { type BlockKind, type Document, type DocumentState, documentStates } from "./fields/document.ts";
export type { Format } from "./fields/format-field.ts";
export { type FormatName, type FormatOrigin, type FormatsFrom, formatNames, formats } from "./fields/formats.ts";
export type { ExportFormat, FileStream } from "./fields/job.ts";
export { type LiveViewInput, liveViewInput } from "./fields/live-view.ts";
export type { ChangeRules } from "./fields/monitor-rules.ts";
export { type MonitorTarget, target as monitorTarget } from "./fields/monitor-targets.ts";
export { asksModelToRead, type Parser } from "./fields/parsers.ts";
export { namesPersons, refusesInjection, type ScrapeOptions, scrapeOptions } from "./fields/scrape-options.ts";
export type { Webhook } from "./fields/webhook.ts";
export { endpointFor, findEndpoint } from "./find-endpoint.ts";
export type { CrawlTerms, ParseTerms, ResultPart, ScrapeTerms } from "./inner-inputs.ts";
export type { Issue } from "./issues.ts";
export type { JsonSchema } from "./json-schema.ts";
export { buildOpenApi } from "./openapi.ts";
export type {
  OperationBody,
  OperationInput,
  OperationName,
  OperationOutput,
  OperationQuery,
  Operations,
} from "./operations.ts";
export { prepareCall, withIgnoredFields } from "./prepare-call.ts";
export { type PromptOptions, promptOptionsSchema, readPromptOptions } from "./prompt-options.ts";
export { type RequestReading, readRequest } from "./read-request.ts";
export { requestFields } from "./request-fields.ts";
export { type ActivityName, activityNames } from "./table/activity-names.ts";
export { countedName, type Endpoint, type RateGroup, rateGroups } from "./table/endpoint.ts";
export { type StoppableName, stopsWithCaller } from "./table/stops-with-caller.ts";
