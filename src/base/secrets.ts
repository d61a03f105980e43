// Texts from outside may quote a key that was sent to them, or a part of it ("key AIza…1234 is wrong").

/** Parts that a service may show are longer. */
const shortestPart = 6;

/** Whether a text holds a secret or a telling part of one. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => partsOf(secret).some((part) => text.includes(part)));
}

function partsOf(secret: string): string[] {
  if (secret.length <= shortestPart) return secret === "" ? [] : [secret];
  return Array.from({ length: secret.length - shortestPart + 1 }, (_, at) => secret.slice(at, at + shortestPart));
}
