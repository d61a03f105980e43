// The client: one line for each operation, and waiters for those that take long.
import type { Document, OperationBody, OperationName, OperationOutput, OperationQuery } from "../contract/index.ts";
import { type CallOptions, type ClientOptions, createHttpTransport, type Method, type Transport } from "./transport.ts";
import { type JobLook, jobLooks, type WaitOptions, waitForAnswer } from "./waiting.ts";

type Body<Name extends OperationName> = OperationBody<Name>;
type Query<Name extends OperationName> = OperationQuery<Name>;
type Answer<Name extends OperationName> = Promise<OperationOutput<Name>>;
type ExtractStatus = OperationOutput<"readExtract">;
type AgentStatus = OperationOutput<"readAgent">;
type Wait = WaitOptions;
type Options = CallOptions;

/** A finished crawl or batch: its last status with all documents. */
export type FinishedJob = JobLook & { id: string };

type StartedCrawl = Extract<OperationOutput<"startCrawl">, { id: string }>;
type CrawlEstimate = Exclude<OperationOutput<"startCrawl">, { id: string }>;

export interface ParseRequest extends Omit<Body<"parse">, "file"> {
  file: Blob | Uint8Array | ArrayBuffer;
  filename: string;
}

/** `transport`: instead of HTTP. */
export type TrawlOptions = ClientOptions | { transport: Transport };

const localServer = "http://127.0.0.1:3002";

export class Trawl {
  readonly #transport: Transport;

  constructor(options: TrawlOptions = { apiUrl: localServer }) {
    this.#transport = "transport" in options ? options.transport : createHttpTransport(options);
  }

  /** Any request, for endpoints without a method here. */
  request(method: Method, path: string, body?: unknown, options: Options & { query?: object } = {}): Promise<unknown> {
    return this.#transport.send(method, path, { ...options, body });
  }

  // Pages and files
  scrape = (body: Body<"scrape"> & { url: string }, options?: Options) =>
    this.#post<"scrape">("/v2/scrape", body, options);
  scrapeStatus = (id: string, options?: Options) => this.#get<"readScrape">(`/v2/scrape/${part(id)}`, options);
  interact = (id: string, body: Body<"interact">, options?: Options) =>
    this.#post<"interact">(`/v2/scrape/${part(id)}/interact`, body, options);
  stopInteraction = (id: string, options?: Options) =>
    this.#delete<"stopInteraction">(`/v2/scrape/${part(id)}/interact`, options);
  map = (body: Body<"map">, options?: Options) => this.#post<"map">("/v2/map", body, options);
  search = (body: Body<"search">, options?: Options) => this.#post<"search">("/v2/search", body, options);
  searchResults = (id: string, options?: Options) => this.#get<"readSearch">(`/v2/search/${part(id)}`, options);
  parseFormats = (options?: Options) => this.#get<"listParseFormats">("/v2/parse/formats", options);

  parse({ file, filename, ...body }: ParseRequest, options?: Options): Answer<"parse"> {
    const content = file instanceof Blob ? file : new Blob([file as BlobPart]);
    const sent = this.#transport.send("POST", "/v2/parse", { ...options, body, file: { name: filename, content } });
    return sent as Answer<"parse">;
  }

  // Crawls
  /** With `dryRun` an estimate, and nothing is started. */
  startCrawl(body: Body<"startCrawl"> & { dryRun: true }, options?: Options): Promise<CrawlEstimate>;
  startCrawl(body: Body<"startCrawl"> & { dryRun?: false | undefined }, options?: Options): Promise<StartedCrawl>;
  startCrawl(body: Body<"startCrawl">, options?: Options): Answer<"startCrawl">;
  startCrawl(body: Body<"startCrawl">, options?: Options): Answer<"startCrawl"> {
    return this.#post<"startCrawl">("/v2/crawl", body, options);
  }

  crawlStatus = (id: string, options?: Options & Query<"readCrawl">) =>
    this.#get<"readCrawl">(`/v2/crawl/${part(id)}`, options, { skip: options?.skip, limit: options?.limit });
  cancelCrawl = (id: string, options?: Options) => this.#delete<"cancelCrawl">(`/v2/crawl/${part(id)}`, options);
  crawlErrors = (id: string, options?: Options) =>
    this.#get<"listCrawlErrors">(`/v2/crawl/${part(id)}/errors`, options);
  activeCrawls = (options?: Options) => this.#get<"listActiveCrawls">("/v2/crawl/active", options);
  previewCrawl = (body: Body<"previewCrawl">, options?: Options) =>
    this.#post<"previewCrawl">("/v2/crawl/params-preview", body, options);
  waitForCrawl = (id: string, options?: Wait) => this.#lastStatus(`/v2/crawl/${part(id)}`, id, options);
  /** Starts a crawl and waits for its end; aborting cancels it. */
  crawl = (body: Body<"startCrawl">, options?: Wait) =>
    this.#whole(this.startCrawl(body), this.waitForCrawl, this.cancelCrawl, options);
  followCrawl = (id: string, options?: Wait & { skip?: number }) =>
    jobLooks(this.#transport, `/v2/crawl/${part(id)}`, options);
  crawlDocuments = (id: string, options?: Wait) => documentsOf(this.followCrawl(id, options));

  // Batches
  startBatchScrape = (body: Body<"startBatch">, options?: Options) =>
    this.#post<"startBatch">("/v2/batch/scrape", body, options);
  batchScrapeStatus = (id: string, options?: Options & Query<"readBatch">) =>
    this.#get<"readBatch">(`/v2/batch/scrape/${part(id)}`, options, { skip: options?.skip, limit: options?.limit });
  cancelBatchScrape = (id: string, options?: Options) =>
    this.#delete<"cancelBatch">(`/v2/batch/scrape/${part(id)}`, options);
  batchScrapeErrors = (id: string, options?: Options) =>
    this.#get<"listBatchErrors">(`/v2/batch/scrape/${part(id)}/errors`, options);
  waitForBatchScrape = (id: string, options?: Wait) => this.#lastStatus(`/v2/batch/scrape/${part(id)}`, id, options);
  /** Starts a batch and waits for its end; aborting cancels it. */
  batchScrape = (body: Body<"startBatch">, options?: Wait) =>
    this.#whole(this.startBatchScrape(body), this.waitForBatchScrape, this.cancelBatchScrape, options);
  followBatchScrape = (id: string, options?: Wait & { skip?: number }) =>
    jobLooks(this.#transport, `/v2/batch/scrape/${part(id)}`, options);
  batchScrapeDocuments = (id: string, options?: Wait) => documentsOf(this.followBatchScrape(id, options));

  // Data
  startExtract = (body: Body<"startExtract">, options?: Options) =>
    this.#post<"startExtract">("/v2/extract", body, options);
  extractStatus = (id: string, options?: Options) => this.#get<"readExtract">(`/v2/extract/${part(id)}`, options);
  waitForExtract = (id: string, options?: WaitOptions<ExtractStatus>) =>
    this.#answer<ExtractStatus>(`/v2/extract/${part(id)}`, id, options);
  /** Starts an extract and waits for its end. */
  extract = (body: Body<"startExtract">, options?: WaitOptions<ExtractStatus>) =>
    this.#whole(this.startExtract(body), this.waitForExtract, undefined, options);
  startAgent = (body: Body<"startAgent">, options?: Options) => this.#post<"startAgent">("/v2/agent", body, options);
  agentStatus = (id: string, options?: Options) => this.#get<"readAgent">(`/v2/agent/${part(id)}`, options);
  agentTrace = (id: string, options?: Options) => this.#get<"readAgentTrace">(`/v2/agent/${part(id)}/trace`, options);
  agentSnapshot = (id: string, snapshotId: string, options?: Options) =>
    this.#get<"readAgentSnapshot">(`/v2/agent/${part(id)}/snapshots/${part(snapshotId)}`, options);
  agentThread = (threadId: string, query?: Query<"readAgentThread">, options?: Options) =>
    this.#get<"readAgentThread">(`/v2/agent/threads/${part(threadId)}`, options, query);
  cancelAgent = (id: string, options?: Options) => this.#delete<"cancelAgent">(`/v2/agent/${part(id)}`, options);
  listAgents = (query?: Query<"listAgents">, options?: Options) => this.#get<"listAgents">("/v2/agent", options, query);
  waitForAgent = (id: string, options?: WaitOptions<AgentStatus>) =>
    this.#answer<AgentStatus>(`/v2/agent/${part(id)}`, id, options);
  /** Starts an agent and waits for its end; aborting cancels it. */
  agent = (body: Body<"startAgent">, options?: WaitOptions<AgentStatus>) =>
    this.#whole(this.startAgent(body), this.waitForAgent, this.cancelAgent, options);

  // Browser sessions
  createBrowser = (body: Body<"createSession"> = {}, options?: Options) =>
    this.#post<"createSession">("/v2/browser", body, options);
  listBrowsers = (query?: Query<"listSessions">, options?: Options) =>
    this.#get<"listSessions">("/v2/browser", options, query);
  browserStatus = (id: string, options?: Options) => this.#get<"readSession">(`/v2/browser/${part(id)}`, options);
  executeInBrowser = (id: string, body: Body<"executeInSession">, options?: Options) =>
    this.#post<"executeInSession">(`/v2/browser/${part(id)}/execute`, body, options);
  deleteBrowser = (id: string, options?: Options) => this.#delete<"deleteSession">(`/v2/browser/${part(id)}`, options);

  // Monitors
  createMonitor = (body: Body<"createMonitor">, options?: Options) =>
    this.#post<"createMonitor">("/v2/monitor", body, options);
  listMonitors = (query?: Query<"listMonitors">, options?: Options) =>
    this.#get<"listMonitors">("/v2/monitor", options, query);
  getMonitor = (id: string, options?: Options) => this.#get<"readMonitor">(`/v2/monitor/${part(id)}`, options);
  updateMonitor = (id: string, body: Body<"updateMonitor">, options: Options = {}) =>
    this.#transport.send("PATCH", `/v2/monitor/${part(id)}`, { ...options, body }) as Answer<"updateMonitor">;
  deleteMonitor = (id: string, options?: Options) => this.#delete<"deleteMonitor">(`/v2/monitor/${part(id)}`, options);
  runMonitor = (id: string, options?: Options) => this.#post<"runMonitor">(`/v2/monitor/${part(id)}/run`, {}, options);
  listMonitorChecks = (id: string, query?: Query<"listMonitorChecks">, options?: Options) =>
    this.#get<"listMonitorChecks">(`/v2/monitor/${part(id)}/checks`, options, query);
  getMonitorCheck = (id: string, checkId: string, query?: Query<"readMonitorCheck">, options?: Options) =>
    this.#get<"readMonitorCheck">(`/v2/monitor/${part(id)}/checks/${part(checkId)}`, options, query);
  cancelMonitorCheck = (id: string, checkId: string, options?: Options) =>
    this.#delete<"cancelMonitorCheck">(`/v2/monitor/${part(id)}/checks/${part(checkId)}`, options);

  // The team
  activity = (query?: Query<"listActivity">, options?: Options) =>
    this.#get<"listActivity">("/v2/team/activity", options, query);
  creditUsage = (options?: Options) => this.#get<"readCreditUsage">("/v2/team/credit-usage", options);
  creditHistory = (query?: Query<"readCreditHistory">, options?: Options) =>
    this.#get<"readCreditHistory">("/v2/team/credit-usage/historical", options, query);
  tokenUsage = (options?: Options) => this.#get<"readTokenUsage">("/v2/team/token-usage", options);
  putSecret = (body: Body<"putSecret">, options?: Options) =>
    this.#post<"putSecret">("/v2/team/secrets", body, options);
  listSecrets = (options?: Options) => this.#get<"listSecrets">("/v2/team/secrets", options);
  deleteSecret = (name: string, options?: Options) =>
    this.#delete<"deleteSecret">(`/v2/team/secrets/${part(name)}`, options);
  queueStatus = (options?: Options) => this.#get<"readQueueStatus">("/v2/team/queue-status", options);
  trace = (id: string, options?: Options) => this.#get<"readTrace">(`/v2/jobs/${part(id)}/trace`, options);

  /** Every request of the last 24 hours, newest first, page after page. */
  async *allActivity(query: Query<"listActivity"> = {}, options?: Options) {
    for (let cursor = query.cursor; ; ) {
      const page = await this.activity({ ...query, cursor }, options);
      yield* page.data;
      if (page.cursor === null) return;
      cursor = page.cursor;
    }
  }

  #post<Name extends OperationName>(path: string, body: unknown, options: Options = {}): Answer<Name> {
    return this.#transport.send("POST", path, { ...options, body }) as Answer<Name>;
  }

  #get<Name extends OperationName>(path: string, { signal }: Options = {}, query?: object): Answer<Name> {
    return this.#transport.send("GET", path, { signal, query }) as Answer<Name>;
  }

  #delete<Name extends OperationName>(path: string, options: Options = {}): Answer<Name> {
    return this.#transport.send("DELETE", path, options) as Answer<Name>;
  }

  async #lastStatus(path: string, id: string, options: Wait = {}): Promise<FinishedJob> {
    const data: Document[] = [];
    let last: JobLook | undefined;
    for await (const look of jobLooks(this.#transport, path, options)) {
      data.push(...look.data);
      last = { ...look, data };
      options.onProgress?.(look);
    }
    const { next: _, ...status } = last as JobLook;
    return { ...status, id };
  }

  async #answer<Status extends { status: string }>(path: string, id: string, options?: WaitOptions<Status>) {
    return { ...(await waitForAnswer<Status>(this.#transport, path, options)), id };
  }

  /** The start has no signal: without its response the job could not be cancelled. */
  async #whole<Status, Started extends object, Finished>(
    starting: Promise<Started>,
    wait: (id: string, options?: WaitOptions<Status>) => Promise<Finished>,
    cancel: ((id: string) => Promise<unknown>) | undefined,
    options: WaitOptions<Status> = {},
  ): Promise<Finished> {
    const started = await starting;
    // A dry run starts nothing.
    if (!("id" in started)) return started as unknown as Finished;
    const id = String(started.id);
    try {
      options.signal?.throwIfAborted();
      return await wait(id, options);
    } catch (error) {
      if (options.signal?.aborted) await cancel?.(id).catch(() => undefined);
      throw error;
    }
  }
}

async function* documentsOf(looks: AsyncIterable<JobLook>): AsyncGenerator<Document> {
  for await (const { data } of looks) yield* data;
}

/** One part of a path. */
function part(id: string): string {
  return encodeURIComponent(id);
}
