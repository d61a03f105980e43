// Messages of other services may quote a key that was sent to them, or a part of it ("key AIza…1234 is wrong").

/** Shorter parts do not count. */
const shortestPart = 6;

/** Whether a text contains a secret or a part of one. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => partsOf(secret).some((part) => text.includes(part)));
}

function partsOf(secret: string): string[] {
  if (secret.length <= shortestPart) return secret === "" ? [] : [secret];
  return Array.from({ length: secret.length - shortestPart + 1 }, (_, at) => secret.slice(at, at + shortestPart));
}
