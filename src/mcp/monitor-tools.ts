// The tools that watch pages: rows of the table of tools.
import { monitorRequest } from "../client/index.ts";
import type { McpTool } from "./tool.ts";

type Arguments = Record<string, unknown>;

const ownData = { readOnly: true, openWorld: false, idempotent: true, isWebContent: false, required: ["id"] } as const;
const changing = { ...ownData, readOnly: false } as const;
const text = (description: string) => ({ type: "string", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

export const monitorTools: readonly McpTool[] = [
  {
    ...changing,
    name: "monitor_create",
    idempotent: false,
    openWorld: true,
    title: "Watch pages",
    description: `Create a monitor: pages, a site or searches that are checked on a schedule for changes.
Name page or pages, or queries with a goal. For anything else (a crawl, rules, domains) send the whole request as body.
Not to read a page once (scrape). Example: {"page":"https://example.com/pricing","goal":"prices","scheduleText":"daily at 9am"}`,
    operation: "createMonitor",
    shows: ["name", "goal"],
    required: [],
    own: {
      page: text("One page to watch"),
      pages: texts("Several pages to watch"),
      queries: texts("Searches to watch for new results; needs a goal"),
      scheduleText: text('When: "hourly", "every 30 minutes" (the default), "daily at 9am", "weekdays at 18:00" …'),
      timezone: text("IANA name of the time zone of the schedule"),
      email: text("Email address for reports of changes"),
      webhookUrl: text("URL that receives an event for each page and the end of a check"),
      body: { type: "object", description: "The whole request of POST /v2/monitor, instead of the other arguments" },
    },
    run: ({ client, args, signal }) => client.createMonitor(createBody(args) as never, { signal }),
  },
  {
    ...ownData,
    name: "monitor_list",
    title: "List monitors",
    description: 'List the monitors of your team. Example: {"limit":20}',
    operation: "listMonitors",
    shows: ["limit", "offset"],
    required: [],
    run: ({ client, args, signal }) => client.listMonitors(args as never, { signal }),
  },
  {
    ...ownData,
    name: "monitor_get",
    title: "Read a monitor",
    description: 'A monitor by its id, with its next and its last run. Example: {"id":"…"}',
    operation: "readMonitor",
    shows: ["id"],
    run: ({ client, args, signal }) => client.getMonitor(idOf(args), { signal }),
  },
  {
    ...changing,
    name: "monitor_update",
    title: "Change a monitor",
    description: `Change fields of a monitor: name, status ("active" or "paused"), schedule, targets, goal, rules, webhook, notification.
Example: {"id":"…","body":{"status":"paused"}}`,
    operation: "updateMonitor",
    shows: ["id"],
    required: ["id", "body"],
    own: { body: { type: "object", description: "The fields to change, as PATCH /v2/monitor/{id} takes them" } },
    run: ({ client, args, signal }) => client.updateMonitor(idOf(args), (args["body"] ?? {}) as never, { signal }),
  },
  {
    ...changing,
    name: "monitor_delete",
    title: "Delete a monitor",
    description: 'Delete a monitor with its checks; one that runs is ended. Example: {"id":"…"}',
    operation: "deleteMonitor",
    shows: ["id"],
    run: ({ client, args, signal }) => client.deleteMonitor(idOf(args), { signal }),
  },
  {
    ...changing,
    name: "monitor_run",
    idempotent: false,
    openWorld: true,
    title: "Run a monitor now",
    description: 'Start a check of a monitor now; read it with monitor_check. Example: {"id":"…"}',
    operation: "runMonitor",
    shows: ["id"],
    run: ({ client, args, signal }) => client.runMonitor(idOf(args), { signal }),
  },
  {
    ...ownData,
    name: "monitor_checks",
    title: "List checks",
    description: 'List the checks of a monitor, newest first. Example: {"id":"…","status":"completed"}',
    operation: "listMonitorChecks",
    shows: ["id", "limit", "offset", "status"],
    run: ({ client, args: { id, ...query }, signal }) =>
      client.listMonitorChecks(String(id ?? ""), query as never, { signal }),
  },
  {
    ...ownData,
    isWebContent: true,
    name: "monitor_check",
    title: "Read a check",
    description: `What a check found: each page with its status (same, new, changed, removed, error), diff and judgment.
Example: {"id":"…","checkId":"…","pageStatus":"changed"}`,
    operation: "readMonitorCheck",
    shows: ["id", "checkId", "limit", "skip"],
    required: ["id", "checkId"],
    own: { pageStatus: text("Only pages with this status") },
    run: ({ client, args: { id, checkId, pageStatus, ...query }, signal }) =>
      client.getMonitorCheck(
        String(id ?? ""),
        String(checkId ?? ""),
        { ...query, ...(pageStatus === undefined ? {} : { status: pageStatus }) } as never,
        { signal },
      ),
  },
];

function idOf({ id }: Arguments): string {
  return String(id ?? "");
}

/** Few words become a whole request; a request that is whole goes as it is. */
function createBody(args: Arguments): object {
  const { body, page, pages, scheduleText, email, ...words } = args;
  if (typeof body === "object" && body !== null) return body;
  if ("targets" in args) return args;
  const urls = [...(page === undefined ? [] : [page]), ...(Array.isArray(pages) ? pages : [])];
  const emails = email === undefined ? [] : [email];
  const webhookEvents = ["monitor.page", "monitor.check.completed"];
  return monitorRequest({ webhookEvents, ...words, urls, emails, schedule: scheduleText } as never);
}
