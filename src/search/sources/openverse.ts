// Openverse: pictures with open licences.
import { isAnswerObject, listAt } from "../providers/json.ts";
import { nextNumber, type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

const mostPages = 20;

export const openverse: OpenSource = {
  ...sourceDefaults,
  name: "openverse",
  title: "Openverse",
  base: "https://api.openverse.org",
  serves: new Set(["images"]),
  perCall: 20,
  pace: [
    { most: 15, seconds: 60 },
    { most: 180, seconds: 86_400 },
  ],
  terms: "Anonymous use is allowed, copying in bulk is not; the author is to be named.",

  ask: (question, next) => ({
    path: "/v1/images/",
    query: {
      q: question.text,
      page: nextNumber(next, 1),
      page_size: sizeOf(question, 20),
      mature: question.safe ? "false" : undefined,
    },
  }),

  read({ json }, _, next) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null || !isAnswerObject(json)) return null;
    const results = found.map(({ title, url, foreign_landing_url: page, width, height }) => ({
      url: page || url,
      title,
      imageUrl: url,
      imageWidth: width,
      imageHeight: height,
    }));
    const page = nextNumber(next, 1);
    return { results, next: page < Math.min(mostPages, Number(json.page_count)) ? String(page + 1) : null };
  },
};
