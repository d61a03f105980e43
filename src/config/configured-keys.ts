// How TRAWL_API_KEYS is written.
import { splitList } from "../base/index.ts";

export const configuredKeys = {
  takes:
    "entries of the form team:key or team:key:requestsPerMinute, separated by commas (key: letters, digits, - _ .)",
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
