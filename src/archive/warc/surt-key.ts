// The key under which CDXJ lists a URL, as warcio makes it: https and http, `www.`, letter case and the order of a query's
// parameters make no difference.

export function surtKey(url: string): string {
  if (!url.startsWith("https:") && !url.startsWith("http:")) return url;
  const lower = url.replace(/^(https?:\/\/)www\d*\./, "$1").toLowerCase();
  if (!canParse(lower)) return url;
  const { hostname, port, pathname, search } = new URL(lower);
  const host = hostname.split(".").reverse().join(",");
  const query = search === "" ? "" : `?${search.slice(1).split("&").sort().join("&")}`;
  return `${host}${port === "" ? "" : `:${port}`})${pathname}${query}`;
}

function canParse(url: string): boolean {
  try {
    return new URL(url).href !== "";
  } catch {
    return false;
  }
}
