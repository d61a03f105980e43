export { type MonitorWords, monitorRequest, scheduleOf } from "./monitor-request.ts";
export {
  type CallOptions,
  type ClientOptions,
  createHttpTransport,
  type Method,
  type SendOptions,
  type Transport,
  TrawlError,
} from "./transport.ts";
export { type FinishedJob, type ParseRequest, Trawl, type TrawlOptions } from "./trawl.ts";
export type { JobLook, WaitOptions } from "./waiting.ts";
