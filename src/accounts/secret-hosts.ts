// The hosts that a secret may be typed on: names with their subdomains, addresses, each with a port or without.

const usualPorts: Record<string, string> = { "http:": "80", "https:": "443" };

/** As URLs write it: in small letters, with its port if one is given. Null for what is no host, such as a URL or a pattern. */
export function readSecretHost(text: string): string | null {
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\*%[\]]+)(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}/`) || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    return null;
  const { hostname } = new URL(`http://${name}/`);
  const bare = hostname.replace(/\.$/, "");
  return bare === "" ? null : port === undefined ? bare : `${bare}:${Number(port)}`;
}

/** Whether a document of this URL is one of these hosts. */
export function isHostOf(hosts: readonly string[], documentUrl: string): boolean {
  if (!URL.canParse(documentUrl)) return false;
  const { protocol, hostname, port: given } = new URL(documentUrl);
  const port = given === "" ? usualPorts[protocol] : given;
  if (usualPorts[protocol] === undefined || port === undefined) return false;
  const name = hostname.replace(/\.$/, "");
  const isAddress = name.startsWith("[") || /^[\d.]+$/.test(name);
  return hosts.some((host) => {
    const [, wanted = "", wantedPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host) ?? [];
    const isNamed = name === wanted || (!isAddress && wanted !== "" && name.endsWith(`.${wanted}`));
    return isNamed && (wantedPort === undefined || wantedPort === port);
  });
}
