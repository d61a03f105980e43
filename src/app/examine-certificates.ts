// Certificates without which calls will fail: that of PUBLIC_URL, and those of authorities that are trusted beside the public ones.
import { X509Certificate } from "node:crypto";
import { dayMs, isoTime } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";
import type { Finding } from "./doctor-finding.ts";

/** The end is told this long before. */
const noticeMs = 14 * dayMs;
/** Some live for days or hours, and are renewed in their last third. */
const noticeShare = 1 / 6;

export async function* examineCertificates(
  { publicUrl, certificates }: Pick<Config, "publicUrl" | "certificates">,
  net: Net,
  now: number,
): AsyncGenerator<Finding> {
  if (publicUrl?.startsWith("https:")) yield await examineOwn(new URL(publicUrl), net, now);
  if (certificates.length > 0) yield examineAuthorities(certificates, now);
}

async function examineOwn(publicUrl: URL, net: Net, now: number): Promise<Finding> {
  const subject = "Certificate";
  const fix = "Renew it, or see that the reverse proxy serves its whole chain.";
  const found = await net.readCertificate(publicUrl);
  if (found.ok) {
    const until = isoTime(found.until);
    return endsSoon(found, now)
      ? { subject, state: "failed", message: `The certificate of PUBLIC_URL expires at ${until}.`, fix }
      : { subject, state: "ok", message: `Clients can verify the certificate of PUBLIC_URL until ${until}.` };
  }
  const { code, message } = found;
  // Whether it can be reached from here says nothing about its certificate.
  if (code !== "SCRAPE_SSL_ERROR") return { subject, state: "absent", message };
  return { subject, state: "failed", message: `PUBLIC_URL: ${message}.`, fix };
}

/** An authority that is renewed has two certificates for a while, of which the newer one counts. */
function examineAuthorities(certificates: readonly string[], now: number): Finding {
  const subject = "Trusted authority";
  const lifetimes = new Map<string, { from: number; until: number }>();
  for (const pem of certificates) {
    const { subject: name, validFrom, validTo } = new X509Certificate(pem);
    const until = Date.parse(validTo);
    if (until > (lifetimes.get(name)?.until ?? 0)) lifetimes.set(name, { from: Date.parse(validFrom), until });
  }
  const [ending] = [...lifetimes].filter(([, lifetime]) => endsSoon(lifetime, now));
  if (!ending)
    return { subject, state: "ok", message: "No certificate of CA_FILE or NODE_EXTRA_CA_CERTS expires soon." };
  const [name, { until }] = ending;
  return {
    subject,
    state: "failed",
    message: `The certificate of ${name.replaceAll("\n", ", ")} in CA_FILE or NODE_EXTRA_CA_CERTS expires at ${isoTime(until)}.`,
    fix: "Add its new certificate to the file, and restart.",
  };
}

function endsSoon({ from, until }: { from: number; until: number }, now: number): boolean {
  return until - now < Math.min(noticeMs, (until - from) * noticeShare);
}
