// The categories that a search can be narrowed to, as hosts to search on or as a kind of file.
import type { Category } from "../query/category.ts";
import { isOnHost, isPdfUrl } from "../query/readable-url.ts";

/** What one request to a service asks for; several categories may take several requests. */
export interface Facet {
  /** Every host when empty. */
  domains: readonly string[];
  isPdf: boolean;
  /** Undefined when a result belongs to none of the requested categories. */
  categoryOf(url: string): Category | undefined;
}

const hostsOf: Record<Exclude<Category, "pdf">, readonly string[]> = {
  github: ["github.com"],
  research: [
    "arxiv.org",
    "pubmed.ncbi.nlm.nih.gov",
    "pmc.ncbi.nlm.nih.gov",
    "semanticscholar.org",
    "nature.com",
    "science.org",
    "ieeexplore.ieee.org",
    "dl.acm.org",
    "link.springer.com",
    "sciencedirect.com",
    "biorxiv.org",
  ],
  developer: [
    "github.com",
    "stackoverflow.com",
    "developer.mozilla.org",
    "readthedocs.io",
    "docs.rs",
    "docs.python.org",
    "learn.microsoft.com",
    "pkg.go.dev",
    "npmjs.com",
    "pypi.org",
  ],
  // The whole of .gov, and what other governments call their own.
  gov: ["gov", "gov.uk", "gov.au", "govt.nz", "gc.ca", "gov.ie", "europa.eu"],
};

/** One facet without categories; otherwise one for hosts and one for files, because services cannot ask for "either" at once. */
export function facetsOf(categories: readonly Category[]): Facet[] {
  const hosted = categories.filter((one) => one !== "pdf");
  const domains = [...new Set(hosted.flatMap((one) => hostsOf[one]))];
  const facets: Facet[] = [];
  if (domains.length > 0) {
    const categoryOf = (url: string) =>
      hosted.find((one) => hostsOf[one].some((domain) => isOnHost(new URL(url).hostname, domain)));
    facets.push({ domains, isPdf: false, categoryOf });
  }
  if (categories.includes("pdf")) {
    facets.push({ domains: [], isPdf: true, categoryOf: (url) => (isPdfUrl(new URL(url)) ? "pdf" : undefined) });
  }
  return facets.length > 0 ? facets : [{ domains: [], isPdf: false, categoryOf: () => undefined }];
}

/** Whether to keep a result; without categories every result is kept. */
export function isOfFacet(facet: Facet, url: string): boolean {
  return (facet.domains.length === 0 && !facet.isPdf) || facet.categoryOf(url) !== undefined;
}
