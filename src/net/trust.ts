// Certificates that are trusted beside those of Node: a company's own authority. Given to Node once, as it reads all of them.
import * as tls from "node:tls";

const contexts = new WeakMap<readonly string[], tls.SecureContext>();

/** The certificates that Node trusts by itself, and these. */
export function trustedCertificates(more: readonly string[]): string[] {
  // Newer versions tell what their flags make of it.
  const { getCACertificates } = tls as { getCACertificates?: (kind: "default") => string[] };
  return [...(getCACertificates?.("default") ?? tls.rootCertificates), ...more];
}

export function trustContext(certificates: readonly string[]): tls.SecureContext {
  const context = contexts.get(certificates) ?? tls.createSecureContext({ ca: trustedCertificates(certificates) });
  contexts.set(certificates, context);
  return context;
}
