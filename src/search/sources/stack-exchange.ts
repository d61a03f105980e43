// Stack Exchange: questions of Stack Overflow.
import { secondMs } from "../../base/index.ts";
import { asText, isAnswerObject, listAt } from "../providers/json.ts";
import { codeSource } from "./code-source.ts";
import { shortText } from "./cut-text.ts";
import { nextNumber, type OpenSource, sizeOf } from "./source.ts";

export const stackExchange: OpenSource = {
  ...codeSource,
  name: "stackexchange",
  title: "Stack Exchange",
  base: "https://api.stackexchange.com",
  serves: new Set(["web", "developer"]),
  hosts: ["stackoverflow.com"],
  appliesTime: true,
  perCall: 100,
  pace: [
    { most: 1, seconds: 2 },
    { most: 250, seconds: 86_400 },
  ],
  keyedPace: [
    { most: 1, seconds: 2 },
    { most: 9000, seconds: 86_400 },
  ],
  atOnce: 1,
  terms: "300 requests a day without a key and 10,000 with one, `backoff` is obeyed; texts are CC BY-SA.",

  ask(question, next) {
    const { text, fromMs, toMs, key } = question;
    return {
      path: "/2.3/search/advanced",
      query: {
        q: text,
        site: "stackoverflow",
        sort: question.isNewestFirst ? "creation" : "relevance",
        order: "desc",
        pagesize: sizeOf(question, 100),
        page: nextNumber(next, 1),
        filter: "withbody",
        fromdate: fromMs === null ? undefined : Math.floor(fromMs / secondMs),
        todate: toMs === null ? undefined : Math.floor(toMs / secondMs),
        key: key ?? undefined,
      },
    };
  },

  read({ json }, _, next) {
    const items = isAnswerObject(json) && "items" in json ? listAt(json, "items") : null;
    if (items === null || !isAnswerObject(json)) return null;
    const results = items.map(({ link, title, body, creation_date: asked }) => ({
      url: link,
      title,
      description: shortText(asText(body)),
      dates: [asked],
    }));
    return {
      results,
      next: json.has_more === true ? String(nextNumber(next, 1) + 1) : null,
      ...(typeof json.backoff === "number" ? { backoffSeconds: json.backoff } : {}),
    };
  },

  // Too many requests are a 400 here.
  isLimit: ({ json }) => isAnswerObject(json) && json.error_name === "throttle_violation",
};
