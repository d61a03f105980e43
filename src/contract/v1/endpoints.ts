// The v1 part of the table: each row names the operation of its v2 row and translates where v1 differs.
import { v1BatchEndpoints } from "./batch.ts";
import { v1CrawlEndpoints } from "./crawl.ts";
import { v1DeprecatedEndpoints } from "./deprecated.ts";
import { v1ExtractEndpoints } from "./extract.ts";
import { v1MapEndpoints } from "./map.ts";
import { v1ScrapeEndpoints } from "./scrape.ts";
import { v1SearchEndpoints } from "./search.ts";
import { v1TeamEndpoints } from "./team.ts";

export const v1Endpoints = [
  ...v1ScrapeEndpoints,
  ...v1BatchEndpoints,
  ...v1CrawlEndpoints,
  ...v1MapEndpoints,
  ...v1SearchEndpoints,
  ...v1ExtractEndpoints,
  ...v1TeamEndpoints,
  ...v1DeprecatedEndpoints,
];
