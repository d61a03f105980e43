export type { JsonSchema } from "./description/json-schema.ts";
export { buildOpenApi, listTags } from "./description/openapi.ts";
export { requestFields } from "./description/request-fields.ts";
export { dashboardEndpoints, formOperations, keyLimits } from "./endpoints/dashboard.ts";
export { sessionCookieName, sessionCookieText } from "./endpoints/dashboard-people.ts";
export { oauthEndpoints } from "./endpoints/oauth.ts";
export type { UploadedFile } from "./endpoints/parse.ts";
export type { Action } from "./fields/actions.ts";
export type { ArchiveFormat, ReplayField } from "./fields/archive-fields.ts";
export { type BlockKind, type Document, type DocumentState, documentStates } from "./fields/document.ts";
export {
  type FlowParameters,
  type FlowStep,
  type FlowTarget,
  type FlowUse,
  type FlowValues,
  flowContent,
  type KeptStep,
  maxFlowSteps,
  type StepType,
} from "./fields/flow.ts";
export type { Format } from "./fields/format-field.ts";
export {
  type FormatName,
  type FormatOrigin,
  type FormatsFrom,
  formatNames,
  formats,
  type NetworkKind,
} from "./fields/formats.ts";
export type { ExportFormat, FileStream } from "./fields/job.ts";
export { type LiveViewInput, liveViewInput } from "./fields/live-view.ts";
export { type ChangeRules, type MonitorTarget, target as monitorTarget } from "./fields/monitor-targets.ts";
export {
  type ChannelName,
  type EntryFor,
  type NoticeEvent,
  type NotifyEntry,
  noticeEvents,
  notifyChannels,
  type TemplateWord,
} from "./fields/notify.ts";
export { limitedFormats, requireFormats } from "./fields/required-formats.ts";
export {
  asksModelToRead,
  keepsNothing,
  namedParsers,
  namesPersons,
  refusesInjection,
  type ScrapeOptions,
  scrapeOptions,
} from "./fields/scrape-options.ts";
export type { Webhook } from "./fields/webhook.ts";
export { endpointFor, endpoints, findEndpoint } from "./operations/all-endpoints.ts";
export type {
  CrawlTerms,
  DashboardInput,
  DashboardOperationName,
  DashboardOperations,
  DashboardOutput,
  IndexTerms,
  OperationBody,
  OperationInput,
  OperationName,
  OperationOutput,
  OperationQuery,
  Operations,
  ParseTerms,
  ResultPart,
  ScrapeTerms,
  SearchTerms,
  SessionTerms,
} from "./operations/operations.ts";
export type { Issue } from "./requests/issues.ts";
export {
  brandMannerSchema,
  type PromptOptions,
  promptOptionsSchema,
  readBrandManner,
  readPromptOptions,
} from "./requests/prompt-options.ts";
export { prepareCall, readRequest, withIgnoredFields } from "./requests/read-request.ts";
export {
  type ActivityName,
  activityNames,
  countedName,
  type Endpoint,
  type RateGroup,
  rateGroups,
  stopsWithCaller,
} from "./table/endpoint.ts";
export { type EndpointGroup, endpointGroups, mayUse, requireGroups } from "./table/endpoint-groups.ts";
export { readToolList, type ToolName, toolNames, toolPresets } from "./table/tool-lists.ts";
