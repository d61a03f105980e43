// The dashboard: its operations, and its page, which is loaded when somebody opens it.
import { isDeepStrictEqual } from "node:util";
import type { Accounts, Passkeys } from "../accounts/index.ts";
import { type Clock, createLazy } from "../base/index.ts";
import { type Config, type Setting, settingSections } from "../config.ts";
import type { HttpDeps } from "../http/index.ts";
import type { Oauth } from "../oauth/index.ts";
import { createDashboardOperations, type FeatureParts } from "../operations/index.ts";
import type { Store } from "../store/index.ts";
import { type ExaminedServer, examineQuickly, examineServer } from "./examine-server.ts";
import type { SearchPart } from "./join-search.ts";
import { joinSignIn, type SignInParts } from "./join-sign-in.ts";

interface DashboardParts extends ExaminedServer, SignInParts {
  search: SearchPart;
  store: Store;
  clock: Clock;
  accounts: Accounts;
  index: FeatureParts["index"];
  passkeys: Passkeys;
  oauth: Oauth | null;
}

export function joinDashboard(
  config: Config,
  parts: DashboardParts,
  version: string,
): NonNullable<HttpDeps["dashboard"]> {
  const { accounts, passkeys, store, index, clock } = parts;
  const provider = joinSignIn(config, parts);
  // Loaded late: a server without people at its dashboard does without it.
  const files = createLazy(async () => (await import("../dashboard/index.ts")).createDashboardFiles());
  return {
    operations: createDashboardOperations({
      accounts,
      store,
      index,
      clock,
      version,
      ways: { providerName: provider?.name ?? null, isProviderOnly: config.oidcOnly },
      passkeys,
      oauth: parts.oauth,
      askIndex: parts.search.askIndex,
      examine: (teamId, isQuick) =>
        isQuick ? examineQuickly(config, parts, clock) : examineServer(config, parts, teamId, clock),
      listSettings: () => shownSettings(config),
    }),
    provider,
    openFile: async (path, acceptEncoding) => (await files.open()).open(path, acceptEncoding),
  };
}

/** Values that may hold a secret, or a host that only the operator should know. */
const secretName = /KEY|SECRET|PASSWORD|TOKEN|_URL|URL_|PROXY|_CX|HEADERS|ENDPOINT|MAIL|DIALECTS|HOSTS/;

function shownSettings(config: Config) {
  return Object.entries(settingSections).map(([name, section]) => ({
    name,
    settings: (Object.entries(section) as [keyof Config, Setting<unknown>][]).map(([key, entry]) => {
      const value: unknown = config[key];
      const isSet = !isDeepStrictEqual(value, entry.fallback);
      const isSecret = secretName.test(entry.env);
      return { name: entry.env, value: isSecret ? null : shownValue(value), isSet, description: entry.description };
    }),
  }));
}

function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "object" ? null : String(value);
}
