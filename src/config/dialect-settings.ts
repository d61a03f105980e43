// Which APIs of other services are spoken, and who may use them without a key.
import { splitList } from "../base/index.ts";
import { type DialectName, dialectNames, isDialectName } from "./dialect-names.ts";
import { setting } from "./setting.ts";

const dialectList = {
  takes: `0 for none, or a comma-separated list of ${dialectNames.join(", ")}`,
  read: (value: string): readonly DialectName[] | undefined => {
    if (value === "0") return [];
    const names = splitList(value);
    return names.every(isDialectName) ? [...new Set(names)] : undefined;
  },
};

export interface KeylessDialect {
  dialect: DialectName;
  team: string;
}

const keylessList = {
  takes: `a comma-separated list of dialect=team, where dialect is one of ${dialectNames.join(", ")}`,
  read: (value: string): readonly KeylessDialect[] | undefined => {
    const entries = splitList(value).map((entry) => {
      const [, dialect = "", team = ""] = /^([a-z]+)\s*=\s*(\S(?:.*\S)?)$/.exec(entry) ?? [];
      return isDialectName(dialect) ? { dialect, team } : null;
    });
    const known = entries.filter((entry) => entry !== null);
    const isOnce = new Set(known.map(({ dialect }) => dialect)).size === entries.length;
    return known.length === entries.length && isOnce ? known : undefined;
  },
};

export const dialectSettings = {
  dialects: setting(
    "DIALECTS",
    dialectList,
    dialectNames,
    "APIs of other services that this server offers, so that tools made for them work with it (docs/dialects.md). `0` turns " +
      "all of them off.",
    "all",
  ),
  keylessDialects: setting(
    "KEYLESS_DIALECTS",
    keylessList,
    [],
    "Dialects that accept requests without a key, each with the team that pays for them, such as `searxng=alpha`. For tools " +
      "that cannot send a key. Any client that can reach the server can then use the dialect at the team's expense.",
  ),
};
