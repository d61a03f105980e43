// Wikimedia Commons: pictures with free licences.
import { asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { nextNumber, type OpenSource, sizeOf } from "./source.ts";
import { wikimedia, wikimediaPath, wikimediaQuery } from "./wikimedia.ts";

export const commons: OpenSource = {
  ...wikimedia,
  name: "commons",
  title: "Wikimedia Commons",
  base: "https://commons.wikimedia.org",
  serves: new Set(["images"]),
  hosts: ["wikimedia.org"],
  perCall: 50,
  terms: "As Wikipedia; every file has its own licence.",

  ask(question, next) {
    const gsrsearch = `filetype:bitmap|drawing ${question.text}`;
    const search = { generator: "search", gsrnamespace: 6, gsrsearch, gsrlimit: sizeOf(question, 50) };
    const gsroffset = next ?? undefined;
    return {
      path: wikimediaPath,
      query: { ...wikimediaQuery, ...search, gsroffset, prop: "imageinfo", iiprop: "url|size|mime" },
    };
  },

  read({ json }, _, next) {
    if (!isAnswerObject(json)) return null;
    // Without a single hit there is no `query`.
    if (!("query" in json)) return "batchcomplete" in json ? { results: [], next: null } : null;
    const pages = listAt(objectAt(json, "query"), "pages");
    if (pages === null) return null;
    const results = pages
      .sort((one, other) => Number(one.index) - Number(other.index))
      .map(({ title, imageinfo }) => {
        const [info] = Array.isArray(imageinfo) ? imageinfo.filter(isAnswerObject) : [];
        return {
          url: info?.descriptionurl,
          title: asText(title).replace(/^File:|\.\w{3,4}$/g, ""),
          imageUrl: info?.url,
          imageWidth: info?.width,
          imageHeight: info?.height,
        };
      });
    const { gsroffset } = objectAt(json, "continue");
    const isFurther = typeof gsroffset === "number" && gsroffset > nextNumber(next, 0);
    return { results, next: isFurther ? String(gsroffset) : null };
  },
};
