import * as z from "zod";
import { type mapResponse, sharedMapFields } from "../endpoints/map.ts";
import { senderKeys, success, warning } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { sitemapFields, toSitemap } from "./sitemap.ts";

const mapBody = z
  .strictObject({
    ...sharedMapFields,
    ...sitemapFields,
    limit: z.int().min(1).max(30_000).default(5000).describe("Maximum number of URLs to return"),
    ...senderKeys,
  })
  .transform(({ ignoreSitemap, sitemapOnly, useMock: _, ...body }) => ({
    ...body,
    sitemap: toSitemap({ ignoreSitemap, sitemapOnly }),
  }));

const response = z.object({ success, links: z.array(z.string()), warning });

const endpoint = section({ tag: "Map", group: "map", rateGroup: "scrape" });

export const v1MapEndpoints = [
  endpoint("POST /v1/map", "map", "List the URLs of a site", {
    body: mapBody,
    response,
    activity: "map",
    toResponse: ({ success, links, warning }: z.output<typeof mapResponse>) => ({
      success,
      links: links.map((link) => link.url),
      warning,
    }),
  }),
];
