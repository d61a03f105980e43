// Open search sources on loopback: a server for each, which speaks its protocol and answers what a test put into it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type FixtureSite, startSite } from "./fixture-site.ts";

export interface Hit {
  url: string;
  title: string;
  text?: string;
  /** ISO. */
  date?: string;
  pdf?: string;
  doi?: string;
  pmid?: string;
  pmcid?: string;
  image?: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** What a source does in place of answering. */
export type Fault =
  | "slow"
  | "429"
  | "403"
  | "agent"
  | "500"
  | "captcha"
  | "garbage"
  | "shape"
  | "huge"
  | "hang"
  | "redirect";

export interface TestSource extends FixtureSite {
  hits: Hit[];
  fault: Fault | null;
  /** Bodies of POSTs, in order. */
  bodies: string[];
  /** User-Agents, in order. */
  agents: string[];
  /** Parameters of the latest request. */
  query(): URLSearchParams;
}

/** How each answers; `page` is what was asked for with its parameters. */
type Protocol = (hits: readonly Hit[], asked: URL, body: string, base: string) => unknown;

const seconds = (date: string | undefined) => (date === undefined ? undefined : Math.floor(Date.parse(date) / 1000));
const number = (asked: URL, name: string, otherwise: number) => Number(asked.searchParams.get(name) ?? otherwise);
const cut = (hits: readonly Hit[], from: number, count: number) => hits.slice(from, from + count);
const paged = (hits: readonly Hit[], asked: URL, size: string, page = "page", first = 1) => {
  const count = number(asked, size, 10);
  return cut(hits, (number(asked, page, first) - first) * count, count);
};
const escapeMarkup = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const protocols: Record<string, Protocol> = {
  keenable(hits, _, body) {
    const { max_results: count, site } = JSON.parse(body) as { max_results: number; site?: string };
    const fitting = hits.filter(({ url }) => site === undefined || new URL(url).hostname.endsWith(site));
    const shown = fitting.slice(0, count);
    return {
      results: shown.map(({ url, title, text, date }) => ({
        url,
        title,
        snippet: text,
        description: "",
        published_at: date,
      })),
    };
  },
  mwmbl: (hits) =>
    hits.map(({ url, title, text = "" }) => ({
      url,
      title: title
        .split(" ")
        .map((word, place) => ({ value: place > 0 ? ` ${word}` : word, is_bold: place % 2 === 0 })),
      extract: [{ value: text, is_bold: false }],
    })),
  wikipedia(hits, asked) {
    const offset = number(asked, "sroffset", 0);
    const shown = cut(hits, offset, number(asked, "srlimit", 10));
    const end = offset + shown.length;
    return {
      batchcomplete: true,
      ...(end < hits.length ? { continue: { sroffset: end, continue: "-||" } } : {}),
      query: {
        search: shown.map(({ title, text = "", date }) => ({
          title,
          snippet: `<span class="searchmatch">${escapeMarkup(title.split(" ")[0] ?? "")}</span> ${escapeMarkup(text)}`,
          timestamp: date,
        })),
      },
    };
  },
  wikidata(hits, asked) {
    if (asked.searchParams.get("action") === "wbsearchentities") {
      return { search: hits.map((_, place) => ({ id: `Q${place + 1}` })), success: 1 };
    }
    const claim = (url: string, rank: string) => ({ rank, mainsnak: { datavalue: { value: url, type: "string" } } });
    const entities = hits.map(({ url, title, text = "" }, place) => [
      `Q${place + 1}`,
      {
        labels: { en: { language: "en", value: title } },
        descriptions: { en: { language: "en", value: text } },
        claims: {
          P856: [
            claim("https://old.example/", "deprecated"),
            claim(`${url}?normal`, "normal"),
            claim(url, "preferred"),
          ],
        },
      },
    ]);
    return { entities: Object.fromEntries(entities), success: 1 };
  },
  hackernews(hits, asked) {
    const size = number(asked, "hitsPerPage", 20);
    const shown = paged(hits, asked, "hitsPerPage", "page", 0);
    return {
      hits: shown.map(({ url, title, text, date }, place) => ({
        objectID: String(place + 1),
        title,
        url: url === "" ? null : url,
        story_text: text ? `<p>${escapeMarkup(text)}</p>` : null,
        points: 5,
        created_at_i: seconds(date),
      })),
      nbPages: Math.ceil(hits.length / size),
    };
  },
  stackexchange: (hits, asked) => ({
    items: paged(hits, asked, "pagesize").map(({ url, title, text = "", date }) => ({
      link: url,
      title: escapeMarkup(title),
      body: `<p>${escapeMarkup(text)}</p><pre><code>x &lt; y</code></pre>`,
      creation_date: seconds(date),
    })),
    has_more: number(asked, "page", 1) * number(asked, "pagesize", 10) < hits.length,
    quota_remaining: 100,
  }),
  github: (hits, asked) => ({
    total_count: hits.length,
    items: paged(hits, asked, "per_page").map(({ url, title, text, date }) => ({
      full_name: title,
      html_url: url,
      description: text ?? null,
      pushed_at: date,
    })),
  }),
  readthedocs: (hits, asked) => ({
    next: number(asked, "page", 1) * number(asked, "page_size", 10) < hits.length ? "more" : null,
    results: paged(hits, asked, "page_size").map(({ url, title, text = "" }) => ({
      title,
      domain: new URL(url).origin,
      path: new URL(url).pathname,
      blocks: [{ content: text, highlights: {} }],
    })),
  }),
  arxiv(hits, asked) {
    const shown = cut(hits, number(asked, "start", 0), number(asked, "max_results", 10));
    const entries = shown.map(
      ({ url, title, text = "", date, doi, pdf }) => `<entry><id>${url.replace("https:", "http:")}v2</id>
        <title>${escapeMarkup(title)}</title><summary>${escapeMarkup(text)}</summary><published>${date ?? "2024-01-01T00:00:00Z"}</published>
        ${doi ? `<arxiv:doi>${doi}</arxiv:doi>` : ""}<link href="${url}v2" rel="alternate"/>
        ${pdf ? `<link title="pdf" href="${pdf}" rel="related"/>` : ""}</entry>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"
      xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">
      <opensearch:totalResults>${hits.length}</opensearch:totalResults>${entries.join("")}</feed>`;
  },
  crossref: (hits, asked) => ({
    status: "ok",
    message: {
      "total-results": hits.length,
      items: [
        { type: "component", DOI: "10.1/part", URL: "https://doi.org/10.1/part", title: ["Figure 1"] },
        ...cut(hits, number(asked, "offset", 0), number(asked, "rows", 20)).map(
          ({ url, title, text = "", date, doi, pdf }) => ({
            type: "journal-article",
            DOI: doi,
            URL: `https://doi.org/${doi}`,
            title: [title],
            abstract: `<jats:p>${escapeMarkup(text)}</jats:p>`,
            published: { "date-parts": [date === undefined ? [2020] : date.slice(0, 10).split("-").map(Number)] },
            resource: { primary: { URL: url } },
            link: pdf ? [{ URL: pdf, "content-type": "application/pdf" }] : [],
          }),
        ),
      ],
    },
  }),
  europepmc: (hits, asked) => {
    const from = Number((asked.searchParams.get("cursorMark") ?? "*").replace("*", "0"));
    const shown = cut(hits, from, number(asked, "pageSize", 25));
    return {
      nextCursorMark: String(from + shown.length),
      resultList: {
        result: shown.map(({ title, text, date, doi, pmid, pmcid, pdf }) => ({
          title,
          abstractText: text,
          firstPublicationDate: date?.slice(0, 10),
          doi,
          pmid,
          pmcid,
          ...(pdf ? { fullTextUrlList: { fullTextUrl: [{ documentStyle: "pdf", url: pdf }] } } : {}),
        })),
      },
    };
  },
  openalex: (hits, asked) => ({
    results: paged(hits, asked, "per_page").map(({ url, title, text = "", date, doi, pdf }) => ({
      title,
      doi: doi === undefined ? null : `https://doi.org/${doi}`,
      publication_date: date?.slice(0, 10),
      primary_location: { landing_page_url: url, pdf_url: pdf ?? null },
      abstract_inverted_index: Object.fromEntries(text.split(" ").map((word, place) => [word, [place]])),
    })),
  }),
  gdelt: (hits, asked) => ({
    articles: cut(hits, 0, number(asked, "maxrecords", 75)).map(
      ({ url, title, date = "2026-11-15T10:00:00Z", image }) => ({
        url,
        title,
        seendate: `${date.slice(0, 19).replace(/[-:]/g, "")}Z`,
        socialimage: image ?? "",
        language: "English",
      }),
    ),
  }),
  commons(hits, asked) {
    const offset = number(asked, "gsroffset", 0);
    const shown = cut(hits, offset, number(asked, "gsrlimit", 10));
    if (shown.length === 0) return { batchcomplete: true };
    const end = offset + shown.length;
    return {
      ...(end < hits.length ? { continue: { gsroffset: end, continue: "gsroffset||" } } : { batchcomplete: true }),
      query: {
        pages: shown
          .map(({ url, title, image }, place) => ({
            index: offset + place + 1,
            title: `File:${title}.jpg`,
            imageinfo: [{ url: image, descriptionurl: url, width: 40, height: 30, mime: "image/jpeg" }],
          }))
          .reverse(),
      },
    };
  },
  openverse: (hits, asked) => ({
    page_count: Math.ceil(hits.length / number(asked, "page_size", 20)),
    results: paged(hits, asked, "page_size").map(({ url, title, image }) => ({
      title,
      url: image,
      foreign_landing_url: url,
      width: 40,
      height: 30,
    })),
  }),
  govuk: (hits, asked) => ({
    total: hits.length,
    results: cut(hits, number(asked, "start", 0), number(asked, "count", 10)).map(({ url, title, text, date }) => ({
      title,
      link: url,
      description: text,
      public_timestamp: date,
    })),
  }),
  federalregister: (hits, asked) =>
    hits.length === 0
      ? { count: 0 }
      : {
          count: hits.length,
          total_pages: Math.ceil(hits.length / number(asked, "per_page", 20)),
          results: paged(hits, asked, "per_page").map(({ url, title, text, date, pdf }) => ({
            title,
            abstract: text ?? null,
            html_url: url,
            pdf_url: pdf ?? null,
            publication_date: date?.slice(0, 10),
          })),
        },
  marginalia: (hits, asked) => ({
    results: paged(hits, asked, "count").map(({ url, title, text }) => ({ url, title, description: text })),
  }),
  duckduckgo: (hits) => `<!doctype html><html><body><div id="links">
    <div class="result web-result result--ad"><h2><a href="https://ad.example/">Ad</a></h2></div>
    ${hits
      .map(
        ({
          url,
          title,
          text = "",
        }) => `<div class="result web-result"><h2><a href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=x">
        ${escapeMarkup(title)}</a></h2><a class="result__snippet">${escapeMarkup(text)}</a></div>`,
      )
      .join("")}</div></body></html>`,
  bing: (hits, asked) => {
    const isNews = asked.pathname.startsWith("/news");
    const link = (url: string) =>
      isNews ? `https://www.bing.com/news/apiclick.aspx?url=${encodeURIComponent(url)}` : url;
    return `<?xml version="1.0"?><rss version="2.0"><channel>${cut(hits, number(asked, "first", 1) - 1, 10)
      .map(
        ({
          url,
          title,
          text = "",
        }) => `<item><title>${escapeMarkup(title)}</title><link>${escapeMarkup(link(url))}</link>
        <description>${escapeMarkup(text)}</description><pubDate>Sun, 15 Nov 2026 08:00:00 GMT</pubDate></item>`,
      )
      .join("")}</channel></rss>`;
  },
  mojeek: (hits, asked) =>
    `<!doctype html><html><body><form action="/search"></form><ul class="results-standard">${cut(
      hits,
      number(asked, "s", 1) - 1,
      10,
    )
      .map(
        ({ url, title, text = "" }) =>
          `<li><a class="ob" href="${escapeMarkup(url)}"></a><h2><a href="${escapeMarkup(url)}">${escapeMarkup(title)}</a></h2><p class="s">${escapeMarkup(text)}</p></li>`,
      )
      .join("")}</ul></body></html>`,
  mdn: (hits) => ({
    documents: hits.map(({ url, title, text }) => ({ mdn_url: new URL(url).pathname, title, summary: text })),
    metadata: { total: { value: hits.length } },
  }),
};

export const sourceNames = Object.keys(protocols);

const faults: Record<Fault, Handler> = {
  hang: () => undefined,
  slow: () => undefined,
  "429": (_, response) => response.writeHead(429, { "retry-after": "120" }).end("too many"),
  "403": (_, response) => response.writeHead(403).end("no"),
  agent: (_, response) => response.writeHead(403).end("Please name yourself in the User-Agent."),
  "500": (_, response) => response.writeHead(500).end("{}"),
  captcha: (_, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><html><body><form id='challenge-form'>Prove that you are human</form></body></html>"),
  garbage: (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("\u0000\u0001 not json {"),
  shape: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"surprise":true}'),
  huge: (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(Buffer.alloc(20 * 1024 * 1024, 32)),
  redirect: (_, response) => response.writeHead(302, { location: "http://10.0.0.1/admin" }).end(),
};

export type TestSources = Record<string, TestSource>;

/** `waiting`: answers of sources with the fault "slow", which a test lets go. */
export async function startSources(
  names: readonly string[] = sourceNames,
): Promise<{ sources: TestSources; env: Record<string, string>; release(): void; close(): Promise<void> }> {
  const sources: TestSources = {};
  const env: Record<string, string> = {};
  const waiting: (() => void)[] = [];
  for (const name of names) {
    let latest = new URL("http://source/");
    const state = { hits: [] as Hit[], fault: null as Fault | null, bodies: [] as string[], agents: [] as string[] };
    const site = await startSite(() => async (request, response) => {
      latest = new URL(request.url ?? "/", "http://source");
      state.agents.push(request.headers["user-agent"] ?? "");
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString("utf8");
      state.bodies.push(body);
      if (state.fault !== null && state.fault !== "slow") return faults[state.fault](request, response, body);
      if (state.fault === "slow") await new Promise<void>((resolve) => waiting.push(resolve));
      const answer = protocols[name]?.(state.hits, latest, body, "");
      const isText = typeof answer === "string";
      const type = isText ? (answer.startsWith("<?xml") ? "application/xml" : "text/html") : "application/json";
      response.writeHead(200, { "content-type": type });
      response.end(isText ? answer : JSON.stringify(answer));
    });
    sources[name] = Object.assign(state, site, { query: () => latest.searchParams }) as TestSource;
    env[`SEARCH_ENDPOINT_${name.toUpperCase()}`] = site.url;
  }
  return {
    sources,
    env,
    release() {
      for (const go of waiting.splice(0)) go();
    },
    async close() {
      for (const go of waiting.splice(0)) go();
      for (const source of Object.values(sources)) await source.close();
    },
  };
}
