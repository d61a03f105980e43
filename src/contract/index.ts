export type { JsonSchema } from "./description/json-schema.ts";
export { buildOpenApi } from "./description/openapi.ts";
export { requestFields } from "./description/request-fields.ts";
export { dashboardEndpoints } from "./endpoints/dashboard.ts";
export { sessionCookieName } from "./endpoints/dashboard-people.ts";
export type { UploadedFile } from "./endpoints/parse.ts";
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
export {
  keepsNothing,
  namesPersons,
  refusesInjection,
  type ScrapeOptions,
  scrapeOptions,
} from "./fields/scrape-options.ts";
export type { Webhook } from "./fields/webhook.ts";
export { endpoints } from "./operations/all-endpoints.ts";
export type {
  DashboardInput,
  DashboardOperationName,
  DashboardOperations,
  DashboardOutput,
} from "./operations/dashboard-operations.ts";
export { endpointFor, findEndpoint } from "./operations/find-endpoint.ts";
export type { CrawlTerms, ParseTerms, ResultPart, ScrapeTerms } from "./operations/inner-inputs.ts";
export type {
  OperationBody,
  OperationInput,
  OperationName,
  OperationOutput,
  OperationQuery,
  Operations,
} from "./operations/operations.ts";
export type { Issue } from "./requests/issues.ts";
export { prepareCall, withIgnoredFields } from "./requests/prepare-call.ts";
export { type PromptOptions, promptOptionsSchema, readPromptOptions } from "./requests/prompt-options.ts";
export { type RequestReading, readRequest } from "./requests/read-request.ts";
export { type ActivityName, activityNames } from "./table/activity-names.ts";
export { countedName, type Endpoint, type RateGroup, rateGroups } from "./table/endpoint.ts";
export { type StoppableName, stopsWithCaller } from "./table/stops-with-caller.ts";
