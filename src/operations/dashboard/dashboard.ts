// What the pages of the dashboard ask besides the API itself.
import {
  type Accounts,
  type Caller,
  type Passkeys,
  readSent,
  shownActivity,
  shownLimits,
} from "../../accounts/index.ts";
import {
  type Clock,
  dayMs,
  type ErrorCode,
  errorCharges,
  isoTime,
  loadErrorHelp,
  ServiceError,
} from "../../base/index.ts";
import { connectedTools } from "../../connect/index.ts";
import {
  type DashboardOperations,
  type DashboardOutput,
  endpointFor,
  formOperations,
  requestFields,
} from "../../contract/index.ts";
import type { Oauth } from "../../oauth/index.ts";
import type { IndexResult } from "../../search/index.ts";
import type { Store } from "../../store/index.ts";
import { createAppOperations } from "./app-access.ts";
import { createKeyOperations } from "./change-keys.ts";
import { createPasskeyOperations } from "./own-passkeys.ts";
import { createSignInOperations, type SignInWays } from "./sign-in.ts";
import { createPeopleOperations } from "./team-people.ts";
import { createDashboardUsage } from "./usage.ts";

type Finding = DashboardOutput<"checkServer">["findings"][number];

export interface DashboardDeps {
  clock: Clock;
  accounts: Accounts;
  passkeys: Passkeys;
  ways: SignInWays;
  /** Null where no app can be connected. */
  oauth: Oauth | null;
  version: string;
  store: Pick<Store, "searchIndex" | "activity" | "jobs">;
  index: { isOn: boolean; remove(teamId: string, place: string): Promise<number> };
  /** Null when the index is off. */
  askIndex(teamId: string, query: string, limit: number): Promise<IndexResult[] | null>;
  /** One finding after the other; `isQuick`: without asking other servers. */
  examine(teamId: string, isQuick: boolean): AsyncIterable<Finding>;
  listSettings(): DashboardOutput<"listSettings">["sections"];
}

const maxHosts = 200;
const maxFound = 20;

export function createDashboardOperations(deps: DashboardDeps): DashboardOperations<Caller> {
  const { accounts, store, index } = deps;
  return {
    ...createSignInOperations(accounts.people, deps.passkeys, deps.version, deps.ways),
    ...createPasskeyOperations(deps.passkeys, deps.ways),
    ...createKeyOperations(accounts),
    ...createPeopleOperations(accounts.people, deps.ways),
    ...createAppOperations(deps.oauth, accounts.people),
    ...createDashboardUsage(accounts.usageHours, deps.clock),

    async listApiKeys(_input, { teamId }) {
      await accounts.keys.flushLastUsed();
      const keys = (await accounts.keys.list(teamId)).map((key) => ({
        id: key.id,
        name: key.name,
        lastFour: key.lastFour,
        createdAt: isoTime(key.createdAt),
        lastUsedAt: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
        revokedAt: key.revokedAt === null ? null : isoTime(key.revokedAt),
        ...shownLimits(key),
      }));
      return { success: true, keys };
    },

    async readRequest({ requestId, endpoint: listed }, { teamId }) {
      const since = deps.clock.now() - dayMs;
      const entry = await store.activity.find({ teamId, id: requestId, endpoint: listed, since });
      if (!entry) throw new ServiceError("JOB_NOT_FOUND");
      const { endpoint, target, apiVersion, keyName, createdAt, status, durationMs, credits, cacheState, error } =
        shownActivity(entry);
      const job = await store.jobs.find(teamId, requestId);
      return {
        success: true,
        endpoint,
        target,
        apiVersion,
        key: keyName,
        at: createdAt,
        status,
        durationMs,
        creditsUsed: credits,
        cacheState,
        error,
        sent: sentOf(entry),
        options: job ? (JSON.parse(job.options) as Record<string, unknown>) : null,
      };
    },

    async explainError({ code }) {
      const help = (await loadErrorHelp())[code as ErrorCode];
      if (!help) throw new ServiceError("NOT_FOUND", `There is no error ${code}.`);
      const { happened, causes, fix, charge } = help;
      return { success: true, happened, causes: [...causes], fix, charge: errorCharges[charge] };
    },

    async readForm({ operation }) {
      const { method = "POST", path = "" } = endpointFor(operation) ?? {};
      return { success: true, method, path, ...requestFields(operation) };
    },

    async listTools(_input, { baseUrl }) {
      const { host } = new URL(baseUrl);
      const here = (line: string) =>
        line
          .replaceAll("URL/", `${baseUrl}/`)
          .replace(/\bURL(?=["\n\s,)]|$)/g, baseUrl)
          .replaceAll("HOST", host);
      const list = connectedTools.map(({ tool, use, speaks, lines }) => ({
        tool,
        use,
        speaks,
        lines: lines.map(here),
      }));
      return { success: true, tools: list.sort((one, other) => one.tool.localeCompare(other.tool, "en")) };
    },

    async listSettings() {
      return { success: true, sections: deps.listSettings() };
    },

    async checkServer({ subject, quick }, { teamId, session }) {
      const findings: Finding[] = [];
      for await (const finding of deps.examine(teamId, quick)) {
        if (subject !== undefined && finding.subject !== subject) continue;
        findings.push(session?.role === "member" ? inShort(finding) : finding);
      }
      return { success: true, findings };
    },

    async readIndex(_input, { teamId }) {
      const { pages, textBytes } = await store.searchIndex.stats(teamId);
      const hosts = await store.searchIndex.listHosts(teamId, maxHosts);
      return { success: true, isOn: index.isOn, pages, bytes: textBytes, hosts };
    },

    async searchIndex({ query }, { teamId }) {
      const found = await deps.askIndex(teamId, query, maxFound);
      if (!found) throw new ServiceError("BAD_REQUEST", "The local index is off: OWN_INDEX is 0.");
      const pages = found.map(({ url, title, description, date, reason = null }) => {
        return { url, title, description, date: isoTime(date), reason };
      });
      return { success: true, pages };
    },

    async removeFromIndex({ place }, { teamId }) {
      return { success: true, removed: await index.remove(teamId, place) };
    },
  };
}

const inWords = { ok: "Works.", absent: "Not set up.", failed: "Not working: tell an owner of the team." } as const;

/** A file that was sent is not kept, and neither are secrets. */
function sentOf(entry: Parameters<typeof readSent>[0]): DashboardOutput<"readRequest">["sent"] {
  const sent = readSent(entry);
  if (!sent) return null;
  const { method, path, body, hasSecrets } = sent;
  const form = formOperations.find((name) => method === "POST" && endpointFor(name)?.path === path) ?? null;
  const isWhole = !hasSecrets && form !== "parse";
  return { method, path, isWhole, form, ...(body ? { body: body as Record<string, unknown> } : {}) };
}

/** Folders, hosts and settings of the server are for owners. */
function inShort({ subject, state }: Finding): Finding {
  return { subject, state, message: inWords[state] };
}
