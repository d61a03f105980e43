// What `trawl doctor` says of the company's network: which way each kind of call leaves, and whether it gets there.
import type { Config } from "../config.ts";
import { type Net, proxiedTarget, whyNotReachable } from "../net/index.ts";
import type { Finding } from "./doctor-finding.ts";
import { companyNetwork, mailServerOf } from "./join-net.ts";
import type { SearchPart } from "./join-search.ts";

type Network = ReturnType<typeof companyNetwork>;

const probeMs = 10_000;
const fix = "Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY and CA_FILE (docs/self-hosting.md).";

/** In a plain network there is one line to say. */
export async function* examineRoutes(
  config: Config,
  deps: { net: Net; search: Pick<SearchPart, "openSources"> },
): AsyncGenerator<Finding> {
  const network = companyNetwork(config);
  if (network.companyProxy === null && config.certificates.length === 0) {
    const message = "All calls but those for pages leave directly: no proxy is set (HTTPS_PROXY, ALL_PROXY).";
    yield { subject: "Routes", state: "absent", message };
    return;
  }
  if (config.certificates.length > 0) yield describeCertificates(config);
  for (const [kind, url] of await listServices(config)) yield await examineService(kind, url, network, deps.net);
  if (config.smtpUrl !== null) yield await examineMail(config, network, deps.net);
  yield* describeSources(network, await deps.search.openSources());
  yield await examineHosts("webhooks", network);
  if (config.proxyFromEnv) yield await examineHosts("pages", network);
  else yield { subject: "Route: pages", state: "ok", message: "past these proxies (PROXY_FROM_ENV is not set)." };
}

function describeCertificates({ certificates }: Config): Finding {
  const count = certificates.length === 1 ? "1 certificate" : `${certificates.length} certificates`;
  return {
    subject: "Authorities",
    state: "ok",
    message: `${count} of CA_FILE and NODE_EXTRA_CA_CERTS ${certificates.length === 1 ? "is" : "are"} trusted.`,
  };
}

async function listServices(config: Config): Promise<[string, string][]> {
  const { otelEndpoint, otelTracesEndpoint, otelDisabled } = config;
  // The doctor alone needs them.
  const { listEndpoints } = await import("../search/index.ts");
  const traces = otelDisabled ? null : (otelTracesEndpoint ?? otelEndpoint);
  const services: [string, string | null | undefined][] = [
    ["models", config.model?.baseUrl],
    ...listEndpoints(config).map((url): [string, string] => ["search", url]),
    ["solver", config.flaresolverrUrl],
    ["S3 store", config.s3?.endpoint],
    ["traces", traces],
  ];
  return services.filter((service): service is [string, string] => typeof service[1] === "string");
}

function wayOf({ companyProxy }: Network, target: ReturnType<typeof proxiedTarget>): string {
  const proxy = companyProxy?.choose(target) ?? null;
  return proxy === null ? "directly" : `through ${proxy.label}`;
}

/** Any answer will do: what the service makes of a question is another finding. */
async function examineService(kind: string, text: string, network: Network, net: Net): Promise<Finding> {
  const { origin } = new URL(text);
  const outcome = await net.fetch({
    url: `${origin}/`,
    allowOrigin: origin,
    followRedirects: false,
    ignoresBody: true,
    signal: AbortSignal.timeout(probeMs),
  });
  const way = `${origin} ${wayOf(network, proxiedTarget(new URL(text)))}`;
  return findingOf(kind, way, outcome.ok ? null : outcome.message);
}

async function examineMail(config: Config, network: Network, net: Net): Promise<Finding> {
  const server = mailServerOf(config);
  const { host: hostname, port } = server ?? { host: "", port: 0 };
  const way = `${hostname}:${port} ${wayOf(network, { protocol: "smtp:", hostname, port })}`;
  const problem = await net.openMailSocket().then(
    (socket) => void socket.destroy(),
    (error: Error) => error.message,
  );
  return findingOf("email", way, problem ?? null);
}

function* describeSources(network: Network, sources: Awaited<ReturnType<SearchPart["openSources"]>>) {
  if (sources === null) return;
  const ways = sources.names.map((name) =>
    wayOf(network, proxiedTarget(new URL(sources.baseOf(name).replaceAll("{language}", "en")))),
  );
  const counted = [...new Set(ways)].map((way) => `${ways.filter((each) => each === way).length} ${way}`);
  const finding: Finding = { subject: "Route: sources", state: "ok", message: `${counted.join(", ")}.` };
  yield finding;
}

/** Of what callers name, the hosts are not known. */
async function examineHosts(kind: string, { companyProxy }: Network): Promise<Finding> {
  const all = ["https:", "http:"].map((protocol) => {
    const proxy = companyProxy?.choose({ protocol, hostname: "host.invalid", port: 0 }) ?? null;
    return { way: `${protocol} ${proxy === null ? "directly" : `through ${proxy.label}`}`, proxy };
  });
  for (const { proxy } of all) {
    const reason = proxy === null ? null : await whyNotReachable(proxy.hostname, proxy.port, probeMs);
    if (reason !== null) return findingOf(kind, `through ${proxy?.label}`, `The proxy cannot be reached (${reason})`);
  }
  return { subject: `Route: ${kind}`, state: "ok", message: `${all.map(({ way }) => way).join(", ")}.` };
}

function findingOf(kind: string, way: string, problem: string | null): Finding {
  const subject = `Route: ${kind}`;
  if (problem === null) return { subject, state: "ok", message: `${way} works.` };
  return { subject, state: "failed", message: `${way} fails: ${problem}.`, fix };
}
