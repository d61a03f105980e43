// v1 has two flags for what v2 has one field for.
import * as z from "zod";

export const sitemapFields = {
  ignoreSitemap: z.boolean().default(false).describe("Do not use sitemaps"),
  sitemapOnly: z.boolean().default(false).describe("Use only sitemaps"),
};

interface Switches {
  ignoreSitemap: boolean;
  sitemapOnly: boolean;
}

export function toSitemap({ ignoreSitemap, sitemapOnly }: Switches): "skip" | "include" | "only" {
  if (sitemapOnly) return "only";
  return ignoreSitemap ? "skip" : "include";
}
