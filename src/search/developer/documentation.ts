// What sources of documentation are asked, and how their answers are read: Stack Overflow, Read the Docs.
import { asText, isAnswerObject, listAt } from "../providers/json.ts";
import { loadPlainText } from "../providers/plain-text.ts";
import type { SourceAnswer, SourceCall } from "../sources/source.ts";
import type { DeveloperText } from "./developer-text.ts";

/** HTML of a source, for which the caller knows how it becomes markdown. */
export type ToMarkdown = (html: string, url: string) => Promise<string>;

export interface DocumentationSource {
  /** Of the open source whose pace and rests hold. */
  name: "stackexchange" | "readthedocs";
  /** The part of a host that tells what of it is asked; null: it is not on this host. */
  scopeOf(host: string): string | null;
  /** `scopes`: only these; everything when empty. */
  search(words: string, scopes: readonly string[], count: number, key: string | null): SourceCall;
  /** Null when the shape of the answer is unknown. */
  read(answer: SourceAnswer, toMarkdown: ToMarkdown): Promise<DeveloperText[]> | null;
  /** Which of the scopes it has. */
  known(answer: SourceAnswer, scopes: readonly string[]): readonly string[];
}

const stackOverflow = "stackoverflow.com";

const stackExchange: DocumentationSource = {
  name: "stackexchange",
  scopeOf: (host) => (host === stackOverflow ? host : null),
  search: (words, _, count, key) => ({
    path: "/2.3/search/advanced",
    query: {
      q: words,
      site: "stackoverflow",
      sort: "relevance",
      order: "desc",
      pagesize: Math.min(count, 100),
      filter: "withbody",
      key: key ?? undefined,
    },
  }),
  read({ json }, toMarkdown) {
    const items = isAnswerObject(json) && "items" in json ? listAt(json, "items") : null;
    if (items === null) return null;
    return Promise.all(
      items.map(async (item) => {
        const url = asText(item.link);
        const title = (await loadPlainText())(asText(item.title));
        const markdown = await toMarkdown(asText(item.body), url);
        // "CC BY-SA 4.0" is CC-BY-SA-4.0 in SPDX.
        const license = asText(item.content_license).replaceAll(" ", "-") || undefined;
        return { id: `doc:${url}`, url, title, license, markdown };
      }),
    );
  },
  known: (_, scopes) => scopes,
};

const readTheDocs: DocumentationSource = {
  name: "readthedocs",
  scopeOf: (host) => /^([a-z\d][a-z\d-]*)\.readthedocs\.(?:io|org)$/.exec(host)?.[1] ?? null,
  search: (words, projects, count) => ({
    path: "/api/v3/search/",
    query: { q: [...projects.map((each) => `project:${each}`), words].join(" "), page_size: Math.min(count, 50) },
  }),
  read({ json }) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null) return null;
    const texts = found.flatMap((each): DeveloperText[] => {
      if (!URL.canParse(asText(each.path), asText(each.domain))) return [];
      const { href: url } = new URL(asText(each.path), asText(each.domain));
      const parts = (listAt(each, "blocks") ?? []).flatMap(({ id, title, content }) => {
        const heading = asText(title) === "" ? "" : `## ${asText(title)}\n\n`;
        const part = asText(id) === "" ? url : `${url}#${encodeURIComponent(asText(id))}`;
        return asText(content) === "" ? [] : [{ text: heading + asText(content), url: part }];
      });
      const markdown = parts.map(({ text }) => text).join("\n\n");
      return [{ id: `doc:${url}`, url, title: asText(each.title), markdown, parts }];
    });
    return Promise.resolve(texts);
  },
  known({ json }, scopes) {
    const projects = isAnswerObject(json) ? (listAt(json, "projects") ?? []) : [];
    const slugs = new Set(projects.map(({ slug }) => asText(slug)));
    return scopes.filter((scope) => slugs.has(scope));
  },
};

export const documentationSources: readonly DocumentationSource[] = [stackExchange, readTheDocs];
