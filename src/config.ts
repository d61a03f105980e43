// The only reader of the environment: one validated, frozen Config. Every setting is defined once, with its
// default and its description; docs/self-hosting.md is generated from this table.
import { join, resolve } from "node:path";
import { accountSettings } from "./config/account-settings.ts";
import { browserSettings, checkBrowserSettings } from "./config/browser-settings.ts";
import { clientSettings } from "./config/client-settings.ts";
import { dialectSettings } from "./config/dialect-settings.ts";
import { egressSettings, readCertificates } from "./config/egress-settings.ts";
import { executeSettings } from "./config/execute-settings.ts";
import { extractSettings } from "./config/extract-settings.ts";
import { mailSettings } from "./config/mail-settings.ts";
import { chooseModel, type ModelSetting, modelSettings } from "./config/model-settings.ts";
import { networkSettings } from "./config/network-settings.ts";
import { oauthSettings } from "./config/oauth-settings.ts";
import { jobSettings, pageSettings } from "./config/page-settings.ts";
import { searchSettings } from "./config/search-settings.ts";
import { readSourceNames } from "./config/search-source-names.ts";
import { limitSettings, serverSettings } from "./config/server-settings.ts";
import type { Setting, SettingFamily } from "./config/setting.ts";
import { checkSignInSettings, signInSettings } from "./config/sign-in-settings.ts";
import { signingSettings } from "./config/signing-settings.ts";
import { chooseS3, type S3Setting, storageSettings } from "./config/storage-settings.ts";
import { telemetrySettings } from "./config/telemetry-settings.ts";

export type { DialectName } from "./config/dialect-names.ts";
export type { Setting };

/** Every setting, by section, in the order of the documentation. */
export const settingSections = {
  Server: serverSettings,
  Storage: storageSettings,
  Accounts: accountSettings,
  "Sign-in": signInSettings,
  OAuth: oauthSettings,
  Dialects: dialectSettings,
  Network: networkSettings,
  "Company network": egressSettings,
  "Signed requests": signingSettings,
  Jobs: jobSettings,
  Extract: extractSettings,
  Pages: pageSettings,
  Browser: browserSettings,
  Programs: executeSettings,
  Search: searchSettings,
  Models: modelSettings,
  "Mail and notices": mailSettings,
  Traces: telemetrySettings,
  Limits: limitSettings,
  "Command line and MCP": clientSettings,
};

type Sections = typeof settingSections;
type Section = Sections[keyof Sections];
type SettingName = { [Name in keyof Sections]: keyof Sections[Name] }[keyof Sections];
type ValueOf<Entry> = Entry extends Setting<infer Value> ? Value : never;
type Values = { [Name in SettingName]: ValueOf<Extract<Section, Record<Name, unknown>>[Name]> };

/** `model`: the configured language model, or null. */
export type Config = Readonly<
  Omit<Values, "host" | "dataDir" | "blobs" | "blobsDir" | "caFile" | "nodeExtraCaCerts"> & {
    host: string;
    dataDir: string;
    blobs: "database" | "disk" | "s3";
    blobsDir: string;
    /** The configured S3-compatible store, or null. */
    s3: S3Setting | null;
    searchPath: string;
    /** Trusted in addition to those of Node (PEM). */
    certificates: readonly string[];
    model: ModelSetting | null;
    /** Open search sources to ask. */
    searchSources: readonly string[];
  }
>;

/** An invalid setting; the message is one sentence for the operator. */
export class ConfigError extends Error {}

/** Some programs that read env files leave quotes around a value, or a comment instead of it. */
function plainValue(text = ""): string {
  const value = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  return value.startsWith("#") ? "" : value.trim();
}

function isFamily(entry: Setting<unknown>): entry is SettingFamily<unknown> {
  return "prefix" in entry;
}

function readFamily({ prefix, readMember }: SettingFamily<unknown>, env: Record<string, string | undefined>) {
  const members: Record<string, unknown> = {};
  for (const [variable, text] of Object.entries(env)) {
    const given = variable.startsWith(prefix) ? plainValue(text) : "";
    if (given === "") continue;
    const member = readMember(variable.slice(prefix.length), given);
    if (typeof member === "string") throw new ConfigError(`${variable} ${member}.`);
    members[member.name] = member.value;
  }
  return members;
}

/** Reads the settings; an empty variable counts as unset. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const values: Record<string, unknown> = {};
  for (const section of Object.values(settingSections)) {
    for (const [name, entry] of Object.entries(section) as [string, Setting<unknown>][]) {
      if (isFamily(entry)) {
        values[name] = readFamily(entry, env);
        continue;
      }
      const variable = [entry.before ?? entry.env, entry.env].find((each) => plainValue(env[each]) !== "");
      const value = variable === undefined ? entry.fallback : entry.read(plainValue(env[variable]));
      if (value === undefined) throw new ConfigError(`${variable} must be ${entry.takes}.`);
      values[name] = value;
    }
  }
  const config = values as unknown as Values;
  if (config.databaseUrl !== null && config.secret === null) {
    throw new ConfigError(
      "TRAWL_SECRET is required with DATABASE_URL: at least 32 characters, the same on every server.",
    );
  }
  if (config.smtpUrl !== null && config.mailFrom === null) {
    throw new ConfigError("MAIL_FROM is required with SMTP_URL: the address that email comes from.");
  }
  if (config.auth === "none" && config.corsOrigins.includes("*")) {
    throw new ConfigError(
      "CORS_ORIGINS must not contain * with TRAWL_AUTH=none: any web page could control this server.",
    );
  }
  if ((config.googleSearchKey === null) !== (config.googleSearchCx === null)) {
    throw new ConfigError("GOOGLE_SEARCH_KEY and GOOGLE_SEARCH_CX must be set together.");
  }
  if (config.proxyServer !== null && config.proxyPool.length > 0) {
    throw new ConfigError("PROXY_SERVER and PROXY_POOL must not be set together: PROXY_SERVER is a pool of one proxy.");
  }
  if (config.proxyFromEnv && (config.proxyServer !== null || config.proxyPool.length > 0)) {
    throw new ConfigError("PROXY_FROM_ENV must not be set together with PROXY_SERVER or PROXY_POOL.");
  }
  if (config.botSigningKey !== null && config.publicUrl === null) {
    throw new ConfigError("PUBLIC_URL is required with BOT_SIGNING_KEY: sites look for the public key there.");
  }
  const certificates = readCertificates(config);
  if (typeof certificates === "string") throw new ConfigError(certificates);
  const browserProblem = checkBrowserSettings(config);
  if (browserProblem !== null) throw new ConfigError(browserProblem);
  const signInProblem = checkSignInSettings(config);
  if (signInProblem !== null) throw new ConfigError(signInProblem);
  const searchSources = readSourceNames(config);
  if (typeof searchSources === "string") throw new ConfigError(searchSources);
  const model = chooseModel(config);
  if (typeof model === "string") throw new ConfigError(model);
  const s3 = chooseS3(config);
  if (typeof s3 === "string") throw new ConfigError(s3);
  const dataDir = resolve(config.dataDir ?? "./data");
  return Object.freeze({
    ...config,
    s3,
    blobs: config.blobs ?? (s3 === null ? "database" : "s3"),
    blobsDir:
      config.blobsDir === null || config.blobsDir === undefined ? join(dataDir, "blobs") : resolve(config.blobsDir),
    model,
    searchSources,
    /** Where to look for programs. */
    searchPath: env.PATH ?? "",
    certificates,
    host: config.host ?? (config.apiKeys.length > 0 && config.auth === "keys" ? "0.0.0.0" : "127.0.0.1"),
    dataDir,
  });
}
