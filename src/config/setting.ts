// One setting of the environment: its name, its values, its default, its description. A kind parses the text and
// completes the sentence "NAME must be …".
import { isIP } from "node:net";
import { readIpRange, splitList } from "../base/index.ts";

export interface Setting<Value> {
  env: string;
  /** Another name of it, which wins. */
  before?: string;
  /** Completes the sentence "NAME must be …". */
  takes: string;
  /** undefined: the text is invalid. */
  read(text: string): Value | undefined;
  fallback: Value;
  /** How the documentation shows the default. */
  shownDefault: string;
  description: string;
}

export function setting<Value>(
  env: string,
  kind: { takes: string; read(text: string): Value | undefined },
  fallback: NoInfer<Value>,
  description: string,
  shownDefault = shown(fallback),
): Setting<Value> {
  return { env, ...kind, fallback, shownDefault, description };
}

function shown(fallback: unknown): string {
  if (fallback === undefined || fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return "none";
  return `\`${typeof fallback === "boolean" ? Number(fallback) : String(fallback)}\``;
}

/** A text that is not set unless the operator sets it. */
export function optional(env: string, description: string, shownDefault = "none"): Setting<string | null> {
  return setting<string | null>(env, text, null, description, shownDefault);
}

/** The same for a URL. */
export function optionalUrl(env: string, description: string, shownDefault = "none"): Setting<string | null> {
  return setting<string | null>(env, httpUrl, null, description, shownDefault);
}

/** Settings whose names begin alike: PREFIX_<NAME>. Their value is a record by name. */
export interface SettingFamily<Value> extends Setting<Readonly<Record<string, Value>>> {
  prefix: string;
  /** Reads one of them; a string completes the sentence "PREFIX_NAME …". */
  readMember(name: string, text: string): { name: string; value: Value } | string;
}

interface MemberKind<Value> {
  takes: string;
  /** The name as the record has it; completes the sentence "PREFIX_NAME …" when it is no valid name. */
  nameOf(suffix: string): { name: string } | string;
  read(text: string): Value | undefined;
}

/** `env` ends with the place of the name, as in SEARCH_ENDPOINT_<NAME>. */
export function settingFamily<Value>(
  env: string,
  { takes, nameOf, read }: MemberKind<Value>,
  description: string,
  shownDefault = "none",
): SettingFamily<Value> {
  return {
    env,
    takes,
    description,
    shownDefault,
    fallback: {},
    read: () => undefined,
    prefix: env.slice(0, env.indexOf("<")),
    readMember(suffix, text) {
      const named = nameOf(suffix);
      if (typeof named === "string") return named;
      const value = read(text);
      return value === undefined ? `must be ${takes}` : { ...named, value };
    },
  };
}

export const text = { takes: "text", read: (value: string): string | null | undefined => value };

export const flag = {
  takes: "1 or 0",
  read: (value: string) => ({ "1": true, true: true, "0": false, false: false })[value],
};

export function wholeNumber(from: number, to: number) {
  return {
    takes: `a whole number from ${from} to ${to}`,
    read: (value: string) => {
      const number = Number(value);
      return /^\d{1,15}$/.test(value) && number >= from && number <= to ? number : undefined;
    },
  };
}

/** A part of one. */
export const share = {
  takes: "a number from 0 to 1",
  read: (value: string) => (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value) ? Number(value) : undefined),
};

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return { takes: `one of ${words.join(", ")}`, read: (value: string) => words.find((word) => word === value) };
}

export const httpUrl = {
  takes: "a URL that starts with http:// or https://",
  read: (value: string): string | null | undefined =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value.replace(/\/+$/, "") : undefined,
};

export const postgresUrl = {
  takes: "a URL that starts with postgres:// or postgresql://",
  read: (value: string): string | null | undefined =>
    URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol) ? value : undefined,
};

/** How many reverse proxies there are, or where they are. */
export const proxies = {
  takes: "0, the number of reverse proxies in front (1 to 10), or a list of their IP addresses and ranges",
  read: (value: string): number | string[] | false | undefined => {
    if (value === "0" || value === "false") return false;
    if (value === "true") return 1;
    if (/^\d{1,2}$/.test(value)) return Number(value) <= 10 ? Number(value) : undefined;
    const ranges = splitList(value);
    return ranges.length > 0 && ranges.every((range) => readIpRange(range) !== null) ? ranges : undefined;
  },
};

export const hostName = {
  takes: "a hostname or an IP address",
  read: (value: string): string | null | undefined =>
    isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value : undefined,
};

export const hostAndPort = {
  takes: "an IP address and a port, such as 127.0.0.1:53",
  read: (value: string): { host: string; port: number } | null | undefined => {
    const [, host = "", port = ""] = /^\[?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(value) ?? [];
    return isIP(host) !== 0 && Number(port) <= 65535 ? { host, port: Number(port) } : undefined;
  },
};

export const origins = {
  takes: "a comma-separated list of origins such as https://app.example.com, or *",
  read: (value: string): readonly string[] | undefined => {
    const list = splitList(value);
    const isOrigin = (item: string) => item === "*" || (URL.canParse(item) && new URL(item).origin === item);
    return list.every(isOrigin) ? list : undefined;
  },
};

export const secretText = {
  takes: "at least 32 characters",
  read: (value: string): string | null | undefined => (value.length >= 32 ? value : undefined),
};

export const teamKeys = {
  takes: "a comma-separated list of team:key or team:key:requestsPerMinute (key: a-z, A-Z, 0-9, - _ .)",
  read: (value: string): readonly { team: string; key: string; requestsPerMinute: number | null }[] | undefined => {
    const entries = splitList(value).map((entry) => /^([^:]+):([\w.-]+)(?::(\d{1,9}))?$/.exec(entry));
    if (entries.some((entry) => entry === null)) return undefined;
    return entries.map((entry) => ({
      team: entry?.[1] as string,
      key: entry?.[2] as string,
      requestsPerMinute: entry?.[3] === undefined ? null : Number(entry[3]),
    }));
  },
};
