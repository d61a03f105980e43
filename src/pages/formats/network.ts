import type { Document } from "../../contract/index.ts";
import type { NetworkEntry } from "../../engines/index.ts";
import { maskBody, maskJson, maskUrl } from "../../safety/index.ts";
import type { PageFormat } from "./page-format.ts";

type ShownEntry = NonNullable<Document["network"]>[number];

export const network: PageFormat<"network"> = {
  browserTasks: ({ types, urls }) => ({ network: { types, urls } }),
  fromPage(page) {
    const record = "network" in page ? page.network : undefined;
    if (record === undefined) return { warning: "The network of this page could not be recorded." };
    const { entries, leftOut } = record;
    return {
      network: entries.map(show),
      ...(leftOut > 0 ? { warning: `The page made more requests: ${leftOut} are not in network.` } : {}),
      ...(entries.length === 0 ? { warning: "No response of the page fits the format network." } : {}),
    };
  },
  // What a page asks for is known only while it is visited.
  copies: () => "none",
};

function show({ kind, url, requestBody, body, ...entry }: NetworkEntry): ShownEntry {
  const isData = kind === "json" || kind === "text" || kind === "other";
  return {
    ...entry,
    url: maskUrl(url),
    ...(requestBody === undefined ? {} : { requestBody: maskBody(requestBody) }),
    ...(body === undefined ? {} : { body: isData && entry.encoding === "utf8" ? maskJson(body) : body }),
  };
}
