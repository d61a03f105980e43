// Names to addresses: all records, once per connection. The system's resolver, or the server of DNS_SERVER.
import { lookup, Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { localhostAddresses } from "./guard.ts";
import { NetError } from "./outcome.ts";

export type Resolve = (hostname: string) => Promise<string[]>;

const answerTimeoutMs = 2500;
const tries = 2;

export function createResolve(dnsServer: { host: string; port: number } | null): Resolve {
  const ask = dnsServer === null ? askSystem : askServer(dnsServer);
  return async (hostname) => {
    const known = localhostAddresses(hostname);
    if (known !== null) return known;
    const addresses = await ask(hostname).catch((error: unknown) => {
      throw new NetError("SCRAPE_DNS_RESOLUTION_ERROR", `The name ${hostname} could not be resolved`, error);
    });
    if (addresses.length > 0) return addresses;
    throw new NetError("SCRAPE_DNS_RESOLUTION_ERROR", `The name ${hostname} has no address`);
  };
}

async function askSystem(hostname: string): Promise<string[]> {
  const records = await lookup(hostname, { all: true, verbatim: true });
  return records.map((record) => record.address);
}

function askServer({ host, port }: { host: string; port: number }): Resolve {
  const resolver = new Resolver({ timeout: answerTimeoutMs, tries });
  resolver.setServers([isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`]);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === "rejected" && six.status === "rejected") throw four.reason;
    return [four, six].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}
