// What lists say of a crawl.
import { Link } from "@tanstack/react-router";
import type { AnswerOf } from "../api/queries.ts";
import { Badge, count } from "./common-parts.tsx";

type Crawl = AnswerOf<"listCrawls">["crawls"][number];

export function CrawlUrl({ crawl: { id, url } }: { crawl: Crawl }) {
  return (
    <Link to="/crawls/$id" params={{ id }} className="cut">
      {url}
    </Link>
  );
}

export function CrawlState({ crawl: { paused, status } }: { crawl: Crawl }) {
  return <Badge state={paused ? "paused" : status} />;
}

export function pagesOfCrawl({ completed, total }: Crawl): string {
  return `${count(completed)} of ${count(total)}`;
}
