// Open sources on loopback, a server for each, that answer what is asked of them by its URL.
import { type FixtureSite, startSite } from "./fixture-site.ts";

interface Reply {
  status?: number;
  text: string;
  type?: string;
}

export type SourceReply = (asked: URL) => Reply;

export const json = (value: unknown): Reply => ({ text: JSON.stringify(value), type: "application/json" });
export const notThere: Reply = { status: 404, text: "{}", type: "application/json" };

export interface AnsweringSources {
  env: Record<string, string>;
  sites: Readonly<Record<string, FixtureSite>>;
  /** Sources that answer 500. */
  broken: Set<string>;
  close(): Promise<void>;
}

export async function startAnswering(replies: Readonly<Record<string, SourceReply>>): Promise<AnsweringSources> {
  const sites: Record<string, FixtureSite> = {};
  const broken = new Set<string>();
  for (const [name, reply] of Object.entries(replies)) {
    sites[name] = await startSite(() => (request, response) => {
      const { status = 200, text, type = "text/plain" } = reply(new URL(request.url ?? "/", "http://source"));
      response.writeHead(broken.has(name) ? 500 : status, { "content-type": type }).end(text);
    });
  }
  const endpoints = Object.entries(sites).map(([name, { url }]) => [`SEARCH_ENDPOINT_${name.toUpperCase()}`, url]);
  return {
    env: { OPEN_SEARCH: "1", SEARCH_PACE: "0", ...Object.fromEntries(endpoints) },
    sites,
    broken,
    async close() {
      for (const site of Object.values(sites)) await site.close();
    },
  };
}
