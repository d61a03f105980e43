// GitHub: repositories.
import { isAnswerObject, listAt } from "../providers/json.ts";
import { codeSource } from "./code-source.ts";
import { dayOf, nextNumber, type OpenSource, sizeOf } from "./source.ts";

/** `key`: the operator's token; null without. */
export function githubHeaders(key: string | null): Record<string, string> {
  return {
    accept: "application/vnd.github+json",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
}

export const github: OpenSource = {
  ...codeSource,
  name: "github",
  title: "GitHub",
  base: "https://api.github.com",
  serves: new Set(["web", "github", "developer"]),
  hosts: ["github.com"],
  appliesTime: true,
  perCall: 100,
  pace: [{ most: 9, seconds: 60 }],
  keyedPace: [{ most: 27, seconds: 60 }],
  atOnce: 1,
  terms:
    "API terms; 10 searches a minute, 30 with a token. Only repositories are searched: searching code needs a token.",

  ask(question, next) {
    const { text, fromMs, toMs, now, key } = question;
    const from = fromMs === null ? "" : ` pushed:>=${dayOf(fromMs)}`;
    const to = toMs === null || toMs >= now ? "" : ` pushed:<=${dayOf(toMs)}`;
    return {
      path: "/search/repositories",
      headers: githubHeaders(key),
      query: {
        q: text + from + to,
        sort: question.isNewestFirst ? "updated" : undefined,
        per_page: sizeOf(question, 100),
        page: nextNumber(next, 1),
      },
    };
  },

  read({ json }, question, next) {
    const items = isAnswerObject(json) && "items" in json ? listAt(json, "items") : null;
    if (items === null) return null;
    const results = items.map(({ full_name: title, html_url: url, description, pushed_at: pushed }) => ({
      url,
      title,
      description,
      dates: [pushed],
    }));
    return { results, next: items.length < sizeOf(question, 100) ? null : String(nextNumber(next, 1) + 1) };
  },
};
