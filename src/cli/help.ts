// What `trawl help` prints.

export function help(version: string): string {
  return `trawl ${version}: turn the web into data over one HTTP API

  trawl serve [--role api|worker]               run the server, or only its API or worker part (needs DATABASE_URL)
  trawl scrape URL [--json] [--wait MS] [--screenshot FILE]
                                                print a page as markdown, or the full response as JSON; save a screenshot
  trawl why URL [--json]                        show how a page is reached: each rung of the ladder, and what came back
  trawl parse FILE… [-o DIR] [--json]           print files as markdown, or write one file for each
  trawl map URL [--json] [--search WORDS] [--limit N] [--sitemap skip|include|only] [--no-subdomains]
                                                print the URLs of a site, or the full response as JSON
  trawl search WORDS [--limit N] [--json]       print title, URL and passage of each result, or the full response as JSON
  trawl crawl URL [-o DIR] [--json] [--limit N]
                                                scrape a whole site: one file per page, or everything to standard output
  trawl batch FILE [-o DIR] [--json]            scrape the URLs in a file, one per line; - reads standard input
  trawl extract URL… [--schema FILE] [--prompt TEXT] [--json]
                                                print the data of pages as JSON, or the full response with sources and evidence
  trawl index stats [--team NAME] [--json]      show the size of a team's local index; the default team is "default"
  trawl index add URL|FOLDER [--follow] [--limit N] [--team NAME]
                                                add a page, or the pages of a sitemap or feed, to the local index; with
                                                --follow a whole site; or the texts, PDFs and office files of a folder
  trawl index remove URL|HOST|FOLDER [--team NAME]
                                                remove a page, all pages of a host and its subdomains, or the files of a
                                                folder from the local index
  trawl browser create [--ttl SECONDS] [--profile NAME] [--team NAME] [--json]
                                                start a browser session in the running server and print its URLs
  trawl browser list [--team NAME] [--json]     list browser sessions
  trawl browser delete ID [--team NAME] [--json]
                                                end a browser session and print its duration and cost
  trawl doctor                                  check the database, the language model and search
  trawl keys create [--team NAME] [--name NAME] create an API key; it is shown once
  trawl keys list [--team NAME] [--json]        list API keys, without their secrets
  trawl keys revoke ID|KEY|LAST-FOUR            revoke an API key
  trawl teams create NAME                       create a team
  trawl teams list [--json]                     list teams
  trawl help, trawl --version

Settings are environment variables: see docs/self-hosting.md.`;
}
