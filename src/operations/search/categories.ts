// The narrower kinds of results that a search can be asked for (API.md 3.18), as hosts to keep to or as kinds of files.

export type Category = "github" | "research" | "pdf" | "developer";

/** What one question asks for; a search for several categories asks several questions. */
export interface Facet {
  /** Every host when empty. */
  domains: readonly string[];
  isPdf: boolean;
  /** Of a result; undefined when it is of no category asked for. */
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
};

/** One facet without categories; else one for all hosts and one for files, as no service can be asked for either at once. */
export function facetsOf(categories: readonly Category[]): Facet[] {
  const hosted = categories.filter((one) => one !== "pdf");
  const domains = [...new Set(hosted.flatMap((one) => hostsOf[one]))];
  const facets: Facet[] = [];
  if (domains.length > 0) {
    const categoryOf = (url: string) => hosted.find((one) => hostsOf[one].some((domain) => isOn(url, domain)));
    facets.push({ domains, isPdf: false, categoryOf });
  }
  if (categories.includes("pdf")) {
    facets.push({ domains: [], isPdf: true, categoryOf: (url) => (isPdf(url) ? "pdf" : undefined) });
  }
  return facets.length > 0 ? facets : [{ domains: [], isPdf: false, categoryOf: () => undefined }];
}

/** Whether a result may be kept: without categories every one may. */
export function isOfFacet(facet: Facet, url: string): boolean {
  return (facet.domains.length === 0 && !facet.isPdf) || facet.categoryOf(url) !== undefined;
}

function isOn(url: string, domain: string): boolean {
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** By the address alone: arxiv.org/pdf/2301.00001 is one too. */
function isPdf(url: string): boolean {
  const { pathname, search } = new URL(url);
  return /\.pdf$|\/pdf\//i.test(pathname) || /\.pdf(?:&|$)/i.test(search);
}
