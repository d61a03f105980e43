// What GitHub, Stack Exchange and Read the Docs know of a few programs, each in its own protocol.
import { json, notThere, type SourceReply, startAnswering } from "./answering-sources.ts";

const repository = (name: string, description: string, more: object = {}) => ({
  full_name: name,
  html_url: `https://github.com/${name}`,
  description,
  language: "TypeScript",
  topics: ["http", "retry"],
  license: { spdx_id: "MIT" },
  stargazers_count: 900,
  archived: false,
  fork: false,
  has_issues: true,
  ...more,
});
const repositories = [
  repository("acme/http", "An HTTP client that retries"),
  repository("acme/old", "An abandoned HTTP client", {
    archived: true,
    stargazers_count: 3,
    language: "Perl",
    license: { spdx_id: "NOASSERTION" },
    has_issues: false,
  }),
];
const readme = `# acme/http\n\n## Installing\n\nInstall it from the registry like any other package of yours, then import it.\n
## Retrying\n\nPass retry: { on: [502] } and the client sends the request once more after a backoff of one second.`;

const thread = (name: string, number: number, title: string, body: string, pull?: object) => ({
  number,
  title,
  body,
  html_url: `https://github.com/${name}/${pull ? "pull" : "issues"}/${number}`,
  repository_url: `https://api.github.com/repos/${name}`,
  ...(pull ? { pull_request: pull } : {}),
});
const issues = [
  thread(
    "acme/http",
    12,
    "Retry on 502",
    "The proxy answers 502 now and then.\n\nA retry with a backoff would help us.",
  ),
  thread("other/tool", 7, "Retry for ever", "It retries on 502 for ever and never gives up, whatever is configured."),
];
const pulls = [
  thread("acme/http", 13, "Add retry with backoff", "Adds a retry on 502, with a backoff that doubles each time.", {
    merged_at: "2026-01-02T03:04:05Z",
  }),
  thread("acme/http", 14, "Retry twice", "Not merged.", { merged_at: null }),
];

const replies: Record<string, SourceReply> = {
  github({ pathname, searchParams }) {
    const asked = searchParams.get("q") ?? "";
    const names = [...asked.matchAll(/repo:(\S+)/g)].map(([, name = ""]) => name.toLowerCase());
    const isNamed = (name: string) => names.length === 0 || names.includes(name.toLowerCase());
    const nameOf = ({ repository_url: url }: { repository_url: string }) => url.split("/").slice(-2).join("/");
    if (pathname === "/search/repositories") {
      const isFitting = (each: (typeof repositories)[number]) =>
        !asked.includes('language:"Perl"') || each.language === "Perl";
      return json({ items: repositories.filter((each) => isNamed(each.full_name) && isFitting(each)) });
    }
    if (pathname === "/search/issues")
      return json({ items: (asked.includes("is:issue") ? issues : pulls).filter((each) => isNamed(nameOf(each))) });
    if (pathname !== "/repos/acme/http/readme") return notThere;
    const content = Buffer.from(readme).toString("base64");
    return json({ encoding: "base64", content, html_url: "https://github.com/acme/http/blob/main/README.md" });
  },
  stackexchange: () =>
    json({
      items: [
        {
          link: "https://stackoverflow.com/questions/42/retry",
          title: "How to retry a request on 502 &amp; 503?",
          body: "<p>My client gets a <code>502</code> from the proxy.</p><pre><code>retry(request);</code></pre><p>How is it sent again?</p>",
          content_license: "CC BY-SA 4.0",
        },
      ],
      has_more: false,
      quota_remaining: 100,
    }),
  readthedocs({ searchParams }) {
    const asked = searchParams.get("q") ?? "";
    const isKnown = !asked.includes("project:") || asked.includes("project:http-client");
    const blocks = [
      {
        id: "install",
        title: "Install",
        content: "Install the client with the package manager that you already use for the rest.",
      },
      {
        id: "retries",
        title: "Retries",
        content: "A request that got 502 is sent again, with a backoff, unless retry is off.",
      },
    ];
    const page = {
      title: "Using the client",
      domain: "https://http-client.readthedocs.io",
      path: "/en/latest/use.html",
      blocks,
    };
    return json({ projects: isKnown ? [{ slug: "http-client" }] : [], results: isKnown ? [page] : [] });
  },
};

export const startDeveloperSources = () => startAnswering(replies);
