export {
  type CallOptions,
  createHttpTransport,
  type HttpOptions,
  type Method,
  type SendOptions,
  type Transport,
  TrawlError,
} from "./transport.ts";
export { type FinishedJob, type ParseRequest, Trawl, type TrawlOptions } from "./trawl.ts";
export type { JobStatus, WaitOptions } from "./waiting.ts";
