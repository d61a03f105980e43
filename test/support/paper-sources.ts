// Sources of papers on loopback, each with what it knows of a few papers, and a server that speaks its protocol.
import { type AnsweringSources, json, notThere, type SourceReply, startAnswering } from "./answering-sources.ts";

const abstract = "We propose a network built on attention alone, without recurrence, for the translation of sentences.";
const inverted = (text: string) => Object.fromEntries(text.split(" ").map((word, place) => [word, [place]]));

const work = (id: string, title: string, more: object = {}) => ({
  id: `https://openalex.org/${id}`,
  ids: { openalex: `https://openalex.org/${id}` },
  title,
  publication_date: "2019-05-01",
  updated_date: "2020-01-01T00:00:00",
  authorships: [{ author: { display_name: "Noam Nett" } }],
  topics: [{ display_name: "Machine translation" }],
  abstract_inverted_index: inverted(`${title} about attention`),
  related_works: [],
  referenced_works: [],
  cited_by_count: 3,
  ...more,
});

const works = [
  work("W1", "Attention is all you need", {
    doi: "https://doi.org/10.48550/arxiv.1706.03762",
    primary_location: { landing_page_url: "http://arxiv.org/abs/1706.03762" },
    ids: { openalex: "https://openalex.org/W1", doi: "https://doi.org/10.48550/arxiv.1706.03762" },
    related_works: ["https://openalex.org/W2"],
    referenced_works: ["https://openalex.org/W3"],
    publication_date: "2017-06-12",
    cited_by_count: 90_000,
  }),
  work("W2", "Attention in images", { referenced_works: ["https://openalex.org/W3"], cited_by_count: 40 }),
  work("W3", "Recurrence for translation", { doi: "https://doi.org/10.1000/recurrence", cited_by_count: 500 }),
  work("W4", "Nets that cite attention", { cited_by_count: 7 }),
];

const entry = `<entry><id>http://arxiv.org/abs/1706.03762v7</id><title>Attention Is All You Need</title>
  <summary>${abstract}</summary><published>2017-06-12T17:57:34Z</published><updated>2023-08-02T00:41:18Z</updated>
  <author><name>Ashish Vaswani</name></author><author><name>Noam Shazeer</name></author>
  <category term="cs.CL"/><category term="cs.LG"/></entry>`;
const feed = (entries: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>`;

const life = {
  id: "12345",
  source: "MED",
  pmid: "12345",
  pmcid: "PMC777",
  doi: "10.1000/cells",
  title: "Attention of cells.",
  abstractText: "Cells attend to signals.",
  authorString: "Marie Cell, Otto Wall.",
  firstPublicationDate: "2015-03-02",
  citedByCount: 4,
};
const body = `<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD" "archive.dtd"><article><body>
  <sec><title>Methods</title><p>Samples were kept on ice for two hours before they were stained and counted.</p>
  <p>The membrane was dyed with a blue marker, which binds to the receptors of the wall.</p></sec></body></article>`;

const answers: Record<string, SourceReply> = {
  arxiv({ pathname, searchParams }) {
    if (pathname.startsWith("/pdf/"))
      return {
        text: `<h1>Attention</h1><p>${abstract}</p><p>The decoder is also composed of a stack of six identical layers with residual links.</p>`,
        type: "text/html",
      };
    const ids = searchParams.get("id_list");
    return { text: feed(ids === null || ids === "1706.03762" ? entry : ""), type: "application/xml" };
  },
  openalex({ pathname, searchParams }) {
    const named = decodeURIComponent(pathname.slice("/works/".length));
    const filter = searchParams.get("filter") ?? "";
    const idOf = ({ id }: { id: string }) => id.split("/").at(-1) ?? "";
    if (filter.startsWith("cites:W1")) return json({ results: [works[3]] });
    if (filter.startsWith("openalex:"))
      return json({ results: works.filter((each) => filter.slice(9).split("|").includes(idOf(each))) });
    if (pathname === "/works") return json({ results: filter.startsWith("cites:") ? [] : works });
    const found = works.find(
      (each) => idOf(each) === named || (each as { doi?: string }).doi?.endsWith(named.replace("doi:", "")),
    );
    return found ? json(found) : notThere;
  },
  europepmc({ pathname, searchParams }) {
    if (pathname === "/PMC777/fullTextXML") return { text: body, type: "application/xml" };
    if (pathname === "/MED/12345/references")
      return json({ referenceList: { reference: [{ id: "99", source: "MED", title: "Signals of walls" }] } });
    if (/\/(?:references|citations)$/.test(pathname)) return json({ referenceList: { reference: [] } });
    const query = searchParams.get("query") ?? "";
    const isKnown = /12345|PMC777|10\.1000\/cells|cells/i.test(query);
    return json({ resultList: { result: isKnown ? [life] : [] } });
  },
  crossref({ pathname }) {
    const item = {
      type: "journal-article",
      DOI: "10.1000/cells",
      title: ["Attention of cells"],
      abstract: "<jats:p>Cells attend to signals of their walls, which this paper shows at length.</jats:p>",
      author: [{ given: "Marie", family: "Cell" }],
      published: { "date-parts": [[2015, 3, 2]] },
      "is-referenced-by-count": 5,
    };
    if (pathname === "/works") return json({ message: { items: [item] } });
    return decodeURIComponent(pathname) === "/works/10.1000/cells" ? json({ message: item }) : notThere;
  },
};

export type PaperSources = AnsweringSources;

export const startPaperSources = () => startAnswering(answers);
